package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// writeImages writes the images of all processors, in one index, as a tar of an OCI image layout.
// It writes no file without an image.
func (r *release) writeImages(all []*packaged) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range all {
		if p.image != nil {
			index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: p.image, Descriptor: v1.Descriptor{
				Platform: &v1.Platform{OS: "linux", Architecture: p.goarch}}})
		}
	}
	if !slices.ContainsFunc(all, func(p *packaged) bool { return p.image != nil }) {
		return nil
	}
	dir := filepath.Join(r.work, "oci")
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	// Programs that read the layout find the index by this name.
	name := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.version})
	if err := path.AppendIndex(index, name); err != nil {
		return err
	}
	return tarOf("dist/absolink-"+r.version+"-oci.tar", dir, r.date)
}

// image returns the image of a processor of Linux. Its layer has the program, its licences, the
// certificates of web servers, and the empty directories /tmp and /work.
func (r *release) image(goarch string, files []file) (v1.Image, error) {
	data, err := r.layer(files)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	}, tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.BestCompression))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{
		Created: v1.Time{Time: r.date}, CreatedBy: "absolink " + r.version}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS = "linux"
	config.Architecture = goarch
	config.Created = v1.Time{Time: r.date}
	config.Config = v1.Config{
		User:       "65532:65532",
		Entrypoint: []string{"/usr/bin/absolink"},
		WorkingDir: "/work",
		Env:        []string{"PATH=/usr/bin"},
		Labels: map[string]string{
			"org.opencontainers.image.title":       "absolink",
			"org.opencontainers.image.description": summary,
			"org.opencontainers.image.version":     r.version,
			"org.opencontainers.image.revision":    r.commit,
			"org.opencontainers.image.created":     r.date.Format(time.RFC3339),
			"org.opencontainers.image.licenses":    "MIT",
			"org.opencontainers.image.url":         r.homepage(),
		},
	}
	return mutate.ConfigFile(image, config)
}

// layer returns the files of an image as a tar. files are those of the archives.
func (r *release) layer(files []file) ([]byte, error) {
	all := []file{
		{name: "etc/passwd", data: []byte("nonroot:x:65532:65532::/:/sbin/nologin\n")},
		{name: "etc/ssl/certs/ca-certificates.crt", data: certificates()},
		{name: "tmp/", mode: 0o1777},
		{name: "work/", mode: 0o755},
	}
	for _, f := range files {
		switch f.name {
		case "absolink":
			f.name = "usr/bin/absolink"
		case "LICENSE", "THIRD-PARTY-LICENSES.txt":
			f.name = "usr/share/doc/absolink/" + f.name
		default:
			continue
		}
		all = append(all, f)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range all {
		h := &tar.Header{Name: f.name, Mode: int64(f.perm()), Size: int64(len(f.data)), ModTime: r.date}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// certificates returns the root certificates of Mozilla as PEM. It leaves out roots that Mozilla
// trusts in part only, since PEM cannot say so.
func certificates() []byte {
	var b []byte
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			b = append(b, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})...)
		}
	}
	return b
}

// tarOf writes the files below dir to path as a tar, in the order of their names.
func tarOf(path, dir string, date time.Time) error {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err := filepath.WalkDir(dir, func(at string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		h := &tar.Header{Name: filepath.ToSlash(name), Mode: 0o644, Size: int64(len(data)), ModTime: date}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}
