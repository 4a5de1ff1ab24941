"""Checks the manifests and the image of a release: manifests.py DIST URL. The files of DIST can be downloaded below URL.

It needs ruby, makepkg, nix-instantiate, podman (optional) and the modules yaml and pre_commit. If they run as root,
makepkg runs as nobody, since it refuses root.
"""

import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import yaml

dist, url = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2].rstrip("/")
module = pathlib.Path(__file__).resolve().parent.parent
version = next(dist.glob("absolink-*-oci.tar")).name.removeprefix("absolink-").removesuffix("-oci.tar")


def run(*command, **options):
    """Runs a program and returns its standard output."""
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def check(address, sum, name):
    """Checks that an address is that of the file name, with its sum."""
    assert address == f"{url}/{name}", address
    assert sum == hashlib.sha256((dist / name).read_bytes()).hexdigest(), name


def image(work):
    """Checks the image, and runs its program as its user, where the image is the whole file system."""
    with tarfile.open(dist / f"absolink-{version}-oci.tar") as layout:

        def blob(descriptor):
            data = layout.extractfile("blobs/" + descriptor["digest"].replace(":", "/")).read()
            assert descriptor["digest"] == "sha256:" + hashlib.sha256(data).hexdigest()
            assert descriptor["size"] == len(data)
            return data

        assert json.load(layout.extractfile("oci-layout")) == {"imageLayoutVersion": "1.0.0"}
        (index,) = json.load(layout.extractfile("index.json"))["manifests"]
        systems = []
        for described in json.loads(blob(index))["manifests"]:
            systems.append((described["platform"]["os"], described["platform"]["architecture"]))
            manifest = json.loads(blob(described))
            config = json.loads(blob(manifest["config"]))
            assert (config["os"], config["architecture"]) == systems[-1]
            assert config["config"]["User"] == "65532:65532"
            assert config["config"]["Labels"]["org.opencontainers.image.version"] == version
            (layer,) = manifest["layers"]
            root = work / systems[-1][1]
            with tarfile.open(fileobj=io.BytesIO(blob(layer))) as files:
                files.extractall(root, filter="fully_trusted")
            assert (root / "tmp").stat().st_mode & 0o7777 == 0o1777
        assert systems == [("linux", "amd64"), ("linux", "arm64")]
    if os.getuid() == 0 and os.uname().machine == "x86_64":
        shown = run("chroot", "--userspec=65532:65532", work / "amd64", "/usr/bin/absolink", "version")
        assert shown.startswith(f"absolink v{version} "), shown
        page = "<a href=x>"
        shown = run("chroot", "--userspec=65532:65532", work / "amd64", "/usr/bin/absolink", "extract", "--base",
                    "http://h.example/d/", "-", input=page)
        assert shown == "http://h.example/d/x\n", shown
    if shutil.which("podman"):
        name = run("podman", "load", "-q", "-i", dist / f"absolink-{version}-oci.tar").split()[-1]
        shown = run("podman", "run", "--rm", name, "version")
        assert shown.startswith(f"absolink v{version} "), shown


# The classes of Homebrew that a formula of a program uses. Its methods for blocks choose this machine.
homebrew = """
class Formula
  def self.values = (@values ||= {})
  %w[desc homepage version license url sha256].each { |name| define_singleton_method(name) { |v| values[name] = v } }
  def self.on_linux = yield
  def self.on_macos; end
  def self.on_intel = yield
  def self.on_arm; end
  def self.test(&block) = define_method(:test_block, &block)
  def testpath = Pathname.pwd
  def shell_output(command) = `#{command}`
  def assert_equal(a, b) = (raise "#{b.inspect} is not #{a.inspect}" if a != b)
  %w[bin man1 man7 doc bash_completion zsh_completion fish_completion].each do |name|
    define_method(name) { Folder.new(File.join(ARGV[1], name)) }
  end
end
class Folder < Pathname
  def install(*names)
    mkpath
    names.flatten.each do |name|
      name = { name => File.basename(name) } unless name.is_a?(Hash)
      name.each { |from, to| FileUtils.cp(from, join(to)) }
    end
  end
end
"""


def formula(work):
    """Downloads and installs as the formula says, and runs its test."""
    (work / "check.rb").write_text(f"""
require "fileutils"
require "json"
require "pathname"
{homebrew}
load ARGV[0]
formula = Absolink.new
formula.install
formula.test_block
puts JSON.generate(Absolink.values)
""")
    name = f"absolink-{version}-linux-amd64"
    with tarfile.open(dist / f"{name}.tar.gz") as archive:
        archive.extractall(work, filter="tar")
    run("ruby", "-wc", dist / "absolink.rb")
    values = json.loads(run("ruby", work / "check.rb", dist / "absolink.rb", work / "keg", cwd=work / name))
    check(values["url"], values["sha256"], f"{name}.tar.gz")
    assert values["version"] == version
    installed = sorted(str(path.relative_to(work / "keg")) for path in (work / "keg").rglob("*"))
    for path in ["bin/absolink", "man1/absolink.1", "zsh_completion/_absolink", "bash_completion/absolink"]:
        assert path in installed, installed


def windows(address, sum, directory, program):
    """Checks an archive of Windows, and that it has the program in its directory."""
    name = f"{directory}.zip"
    check(address, sum, name)
    with zipfile.ZipFile(dist / name) as archive:
        assert f"{directory}/{program}" in archive.namelist()


def scoop(work):
    manifest = json.loads((dist / "absolink.json").read_text())
    assert manifest["version"] == version
    for name, goarch in {"64bit": "amd64", "arm64": "arm64"}.items():
        source = manifest["architecture"][name]
        assert source["extract_dir"] == f"absolink-{version}-windows-{goarch}"
        windows(source["url"], source["hash"], source["extract_dir"], manifest["bin"])


def winget(work):
    manifests = {}
    for kind in ["", ".installer", ".locale.en-US"]:
        manifest = yaml.safe_load((dist / f"Absolink.Absolink{kind}.yaml").read_text())
        assert manifest["PackageIdentifier"] == "Absolink.Absolink"
        assert manifest["PackageVersion"] == version
        manifests[manifest["ManifestType"]] = manifest
    assert manifests["version"]["DefaultLocale"] == manifests["defaultLocale"]["PackageLocale"]
    installers = manifests["installer"]["Installers"]
    assert [i["Architecture"] for i in installers] == ["x64", "arm64"]
    for installer in installers:
        (nested,) = installer["NestedInstallerFiles"]
        directory, program = nested["RelativeFilePath"].split("\\")
        windows(installer["InstallerUrl"], installer["InstallerSha256"], directory, program)


def arch(work):
    """Builds the package of Arch Linux, which downloads the archive, and runs its program."""
    shutil.copy(dist / "PKGBUILD", work)
    shutil.chown(work, "nobody")
    as_nobody = ["setpriv", "--reuid=nobody", "--clear-groups"] if os.getuid() == 0 else []
    environment = {**os.environ, "HOME": str(work), "PKGEXT": ".pkg.tar", "CARCH": "x86_64", "PACMAN": "true"}
    info = run(*as_nobody, "makepkg", "--printsrcinfo", cwd=work, env=environment)
    assert f"source_aarch64 = {url}/absolink-{version}-linux-arm64.tar.gz" in info, info
    run(*as_nobody, "makepkg", "--nodeps", cwd=work, env=environment)
    program = work / "pkg/absolink-bin/usr/bin/absolink"
    assert run(program, "version").startswith(f"absolink v{version} ")
    assert (work / "pkg/absolink-bin/usr/share/man/man1/absolink.1.gz").exists()


def nix(work):
    """Evaluates the derivation with stubs of Nixpkgs for each of its systems."""
    run("nix-instantiate", "--parse", dist / "absolink.nix")
    systems = {"x86_64-linux": "linux-amd64", "aarch64-linux": "linux-arm64",
               "x86_64-darwin": "darwin-amd64", "aarch64-darwin": "darwin-arm64"}
    for system, name in systems.items():
        source = run("nix-instantiate", "--eval", "--strict", "--json", "-E", f"""
            (import {dist}/absolink.nix {{
              lib = {{ licenses.mit = "MIT"; sourceTypes.binaryNativeCode = ""; }};
              stdenvNoCC = {{ hostPlatform.system = "{system}"; mkDerivation = package: package; }};
              fetchurl = file: file;
              installShellFiles = "";
            }}).src""", env={**os.environ, "NIX_STATE_DIR": str(work), "NIX_STORE_DIR": str(work), "HOME": str(work)})
        source = json.loads(source)
        check(source["url"], source["sha256"], f"absolink-{version}-{name}.tar.gz")


def site(work):
    """Makes a site with a link to a missing file, and returns its folder and the line that names the link."""
    folder = work / "site"
    (folder / "news").mkdir(parents=True)
    (folder / "news/june.html").write_text('<a href="../index.html"> <a href=/style.css> <a href=http://h.example/>')
    (folder / "index.html").write_text("<a href=news/june.html>")
    return folder, "june.html:1:34: missing: /style.css\n"


def hook(work):
    """Runs the hook of pre-commit, which builds absolink, with a missing file and without."""
    folder, line = site(work)
    run("git", "init", "-q", cwd=folder)
    run("git", "add", ".", cwd=folder)
    command = [sys.executable, "-m", "pre_commit", "try-repo", module, "absolink-check-files", "--all-files"]
    environment = {**os.environ, "PRE_COMMIT_HOME": str(work / "cache")}
    failed = subprocess.run(command, cwd=folder, text=True, env=environment, stdout=subprocess.PIPE)
    assert failed.returncode == 1 and f"news/{line}" in failed.stdout, failed.stdout
    (folder / "style.css").write_text("p {}")
    run(*command, cwd=folder, env=environment)
    subprocess.run(["chmod", "-R", "u+w", work], check=True)  # Go's module cache is read-only


def action(work):
    """Runs the steps of the action that have a command, as a runner of GitHub does."""
    folder, line = site(work)
    path = module / ".github/actions/check-links"
    definition = yaml.safe_load((path / "action.yml").read_text())
    values = {"github.action_path": str(path), "runner.temp": str(work)}
    values.update({f"inputs.{name}": i["default"] for name, i in definition["inputs"].items()})
    values.update({"inputs.path": str(folder), "inputs.url": "https://h.example/a/"})

    def steps():
        for step in definition["runs"]["steps"]:
            if "run" not in step:
                continue
            environment = dict(os.environ)
            for name, value in step["env"].items():
                for key, v in values.items():
                    value = value.replace("${{ " + key + " }}", v)
                assert "${{" not in value, value
                environment[name] = value
            (work / "step.sh").write_text(step["run"])
            result = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", work / "step.sh"],
                                    cwd=work, env=environment, text=True, capture_output=True)
            yield step["name"], result.returncode, result.stderr

    (folder / "news/june.html").write_text('<a href="../index.html"> <a href=/a/style.css> <a href=http://h.example/>')
    built, checked = steps()
    assert built[1] == 0, built
    assert checked[1] == 3 and "june.html:1:34: missing: /a/style.css\n" in checked[2], checked
    (folder / "style.css").write_text("p {}")
    built, checked = steps()
    assert checked == ("check links", 0, ""), checked


for function in [image, formula, scoop, winget, arch, nix, hook, action]:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # where nobody may enter it
        work = pathlib.Path(name)
        work.chmod(0o755)
        function(work)
    print(function.__name__, "holds")
