class Absolink < Formula
  desc "{{.Summary}}"
  homepage "{{.Homepage}}"
  version "{{.Version}}"
  license "MIT"
{{define "source"}}      url "{{url .}}"
      sha256 "{{sum .}}"{{end}}
  on_macos do
    on_arm do
{{template "source" (printf "%s.tar.gz" (archive "darwin" "arm64"))}}
    end
    on_intel do
{{template "source" (printf "%s.tar.gz" (archive "darwin" "amd64"))}}
    end
  end

  on_linux do
    on_arm do
{{template "source" (printf "%s.tar.gz" (archive "linux" "arm64"))}}
    end
    on_intel do
{{template "source" (printf "%s.tar.gz" (archive "linux" "amd64"))}}
    end
  end

  def install
    bin.install "absolink"
    man1.install Dir["man/man1/*"]
    man7.install Dir["man/man7/*"]
    bash_completion.install "completions/absolink.bash" => "absolink"
    zsh_completion.install "completions/_absolink"
    fish_completion.install "completions/absolink.fish"
    doc.install "README.md", "CHANGELOG.md", "THIRD-PARTY-LICENSES.txt"
  end

  test do
    (testpath/"page.html").write "<a href=x>x</a>"
    assert_equal "http://host.example/d/x\n",
                 shell_output("#{bin}/absolink extract --base http://host.example/d/ page.html")
  end
end
