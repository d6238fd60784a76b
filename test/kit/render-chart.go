// Renders the templates of a chart like Helm: Go's text/template with the functions of sprig, plus
// Helm's own. Reads JSON from stdin
// ({ "templates": { name: text }, "context": { "Values": …, "Chart": …, "Release": … } })
// and writes JSON to stdout: the rendered text by template name.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"path"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

type request struct {
	Templates map[string]string
	Context   map[string]interface{}
}

func main() {
	log.SetFlags(0)
	var asked request
	check(json.NewDecoder(os.Stdin).Decode(&asked))
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text bytes.Buffer
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
	})
	for name, text := range asked.Templates {
		_, err := all.New(name).Parse(text)
		check(err)
	}
	rendered := map[string]string{}
	for name := range asked.Templates {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		var text bytes.Buffer
		check(all.ExecuteTemplate(&text, name, asked.Context))
		// How Helm renders missing keys.
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
