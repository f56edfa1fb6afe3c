package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Objects as JSON files in a folder; without a folder, nothing is kept and everything exists.
type store struct{ folder string }

func (s store) path(id string) string {
	return filepath.Join(s.folder, strings.ReplaceAll(id, "/", "-")+".json")
}

func (s store) write(id string, object map[string]any) error {
	if s.folder == "" {
		return nil
	}
	text, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.path(id), append(text, '\n'), 0o600)
}

// The object, nil if there is none. Without a folder the second result is false.
func (s store) read(id string) (map[string]any, bool, error) {
	if s.folder == "" {
		return nil, false, nil
	}
	text, err := os.ReadFile(s.path(id))
	if os.IsNotExist(err) {
		return nil, true, nil
	}
	if err != nil {
		return nil, true, err
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, true, fmt.Errorf("%s: %w", s.path(id), err)
	}
	return object, true, nil
}

func (s store) remove(id string) error {
	if s.folder == "" {
		return nil
	}
	return os.Remove(s.path(id))
}

func (s store) ids() []string {
	var ids []string
	files, _ := filepath.Glob(filepath.Join(s.folder, "*.json"))
	for _, file := range files {
		ids = append(ids, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	sort.Strings(ids)
	return ids
}

// A line in the folder's journal, which cases compare.
func (s store) note(format string, arguments ...any) {
	if s.folder == "" {
		return
	}
	file, err := os.OpenFile(filepath.Join(s.folder, "journal"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	fmt.Fprintf(file, format+"\n", arguments...)
}
