# Build it by: nix-build -E '(import <nixpkgs> { }).callPackage ./absolink.nix { }'
{
  lib,
  stdenvNoCC,
  fetchurl,
  installShellFiles,
}:

let
  sources = {
{{- define "source"}} = {
      name = "{{.}}";
      url = "{{url (printf "%s.tar.gz" .)}}";
      sha256 = "{{sum (printf "%s.tar.gz" .)}}";
    };{{end}}
    x86_64-linux{{template "source" (archive "linux" "amd64")}}
    aarch64-linux{{template "source" (archive "linux" "arm64")}}
    x86_64-darwin{{template "source" (archive "darwin" "amd64")}}
    aarch64-darwin{{template "source" (archive "darwin" "arm64")}}
  };
  source =
    sources.${stdenvNoCC.hostPlatform.system}
      or (throw "absolink has no archive for ${stdenvNoCC.hostPlatform.system}");
in
stdenvNoCC.mkDerivation {
  pname = "absolink";
  version = "{{.Version}}";
  src = fetchurl { inherit (source) url sha256; };
  sourceRoot = source.name;
  nativeBuildInputs = [ installShellFiles ];
  dontBuild = true;

  installPhase = ''
    runHook preInstall
    install -Dm755 absolink -t $out/bin
    installManPage man/*/*
    installShellCompletion completions/absolink.bash completions/absolink.fish completions/_absolink
    runHook postInstall
  '';

  meta = {
    description = "{{.Summary}}";
    homepage = "{{.Homepage}}";
    license = lib.licenses.mit;
    mainProgram = "absolink";
    platforms = builtins.attrNames sources;
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
