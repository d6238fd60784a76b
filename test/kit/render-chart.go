// Renders the templates of a chart as Helm does: Go's text/template with the functions of sprig, and Helm's own on top.
// Takes JSON from stdin ({ "templates": { name: text }, "context": { "Values": …, "Chart": …, "Release": … } }) and
// answers JSON on stdout, the text of each template by its name.
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
		// What Helm does for missing keys, which Go calls by another name.
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
