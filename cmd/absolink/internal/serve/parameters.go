package serve

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/flag"
)

// documentFlags are the flags that extract, rewrite and base accept in a query.
const documentFlags = `base default-base force-base rules excess-dots same-scheme mime-base http-base
	no-inherit-across-messages file-base type flavor mbox charset max-depth trust-base
	lazy scripts comments bare-hosts html5-objects kind element attribute scheme status host rel robot-name
	match no-match same-host select unwrap tracking
	absolutize-fragments `

// Parameters returns the names of the flags that a command accepts in a query, or nil if the
// service does not have the command.
func Parameters(command string) []string {
	return strings.Fields(map[string]string{
		"extract": documentFlags + "fields unique strip-fragment pages context image-base root-base",
		"base":    documentFlags,
		"rewrite": documentFlags +
			"normalize base-element map map-regex unwayback no-text skip-footers visible-text to keep any-depth dkim " +
			"break-signatures verify image-base root-base",
		"resolve": "base rules document excess-dots same-scheme delimiters escape",
	}[command])
}

// repeatable lists the types of flags that a query may have several times.
var repeatable = []string{"LIST", "func"}

// SetFlags sets the flags of c, a command of the service, from the parameters of a query. The error
// is a *flag.Error that names the wrong parameter.
func SetFlags(c *cobra.Command, params url.Values) error {
	fs, names := c.Flags(), Parameters(c.Name())
	for name, values := range params {
		if !slices.Contains(names, name) {
			hint := "/v1/openapi.json lists the parameters"
			if near := flag.Nearest(name, slices.Values(names)); near != "" {
				hint = "did you mean " + near + "?"
			}
			return flag.Errorf("--%.100s is not a parameter of %s; %s", name, c.Name(), hint)
		}
		f := fs.Lookup(name)
		if len(values) > 1 && !slices.Contains(repeatable, f.Value.Type()) {
			return flag.Errorf("--%s is given %d times: give it once", name, len(values))
		}
		for _, v := range values {
			if v == "" && f.Value.Type() == "bool" {
				v = "true"
			}
			if err := fs.Set(name, v); err != nil {
				return flag.Errorf("--%s %.200q: %v", name, v, reasonOf(err))
			}
		}
	}
	return flag.CheckEmpty(c)
}

// reasonOf returns the reason why the value of a flag is wrong, without the value.
func reasonOf(err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return invalid.Unwrap()
	}
	return err
}

// AcceptedFlags returns the part of flags that a command accepts in a query. A page of package
// viewer has flags for several commands.
func AcceptedFlags(command string, flags url.Values) url.Values {
	accepted := make(url.Values)
	for name, values := range flags {
		if slices.Contains(Parameters(command), name) {
			accepted[name] = values
		}
	}
	return accepted
}
