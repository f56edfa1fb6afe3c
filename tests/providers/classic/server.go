package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/structure"
)

// A resource as clouds have them: nested blocks, one of which is at most one, sets, timeouts, an upgrade, computed values that
// change with others, text that is normalised, and failures on demand.
func server() *schema.Resource {
	return &schema.Resource{
		Description:   "A server.",
		SchemaVersion: 1,
		StateUpgraders: []schema.StateUpgrader{{
			Version: 0,
			Type:    serverV0().CoreConfigSchema().ImpliedType(),
			Upgrade: func(_ context.Context, raw map[string]any, _ any) (map[string]any, error) {
				raw["size"] = raw["machine_size"]
				delete(raw, "machine_size")
				return raw, nil
			},
		}},
		Timeouts: &schema.ResourceTimeout{
			Create: schema.DefaultTimeout(20 * time.Minute),
			Delete: schema.DefaultTimeout(20 * time.Minute),
		},
		Schema: map[string]*schema.Schema{
			"name":   {Type: schema.TypeString, Required: true, ForceNew: true},
			"size":   {Type: schema.TypeInt, Optional: true, Default: 1},
			"weight": {Type: schema.TypeFloat, Optional: true},
			"on":     {Type: schema.TypeBool, Optional: true},
			"policy": {
				Type: schema.TypeString, Optional: true, DiffSuppressFunc: structure.SuppressJsonDiff,
				StateFunc: func(value any) string {
					normalized, err := structure.NormalizeJsonString(value)
					if err != nil {
						return value.(string)
					}
					return normalized
				},
			},
			"password":          {Type: schema.TypeString, Optional: true, Sensitive: true},
			"secret_wo":         {Type: schema.TypeString, Optional: true, WriteOnly: true},
			"secret_wo_version": {Type: schema.TypeInt, Optional: true},
			"image":             {Type: schema.TypeString, Optional: true, Deprecated: "Nobody looks at it."},
			"address":           {Type: schema.TypeString, Computed: true},
			"revision":          {Type: schema.TypeInt, Computed: true},
			"fail":              {Type: schema.TypeString, Optional: true},
			"tags":              {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"zones":             {Type: schema.TypeSet, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"ports":             {Type: schema.TypeList, Optional: true, Elem: &schema.Schema{Type: schema.TypeInt}},
			"status":            {Type: schema.TypeList, Computed: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"root_disk": {
				Type: schema.TypeList, Optional: true, MaxItems: 1,
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"size_gb":   {Type: schema.TypeInt, Required: true},
					"encrypted": {Type: schema.TypeBool, Optional: true, Default: true},
					"device":    {Type: schema.TypeString, Computed: true},
				}},
			},
			"disk": {
				Type: schema.TypeSet, Optional: true,
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"name":    {Type: schema.TypeString, Required: true},
					"size_gb": {Type: schema.TypeInt, Optional: true, Computed: true},
				}},
			},
		},
		CustomizeDiff: func(_ context.Context, diff *schema.ResourceDiff, _ any) error {
			// A new size is a new revision, which is known only after the update.
			if diff.Id() != "" && diff.HasChange("size") {
				return diff.SetNewComputed("revision")
			}
			return nil
		},
		CreateContext: createServer,
		ReadContext:   readServer,
		UpdateContext: updateServer,
		DeleteContext: deleteServer,
		Importer:      &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext},
	}
}

func serverV0() *schema.Resource {
	return &schema.Resource{Schema: map[string]*schema.Schema{
		"name":         {Type: schema.TypeString, Required: true},
		"machine_size": {Type: schema.TypeInt, Optional: true},
	}}
}

func (s *settings) path(id string) string {
	return filepath.Join(s.folder, strings.ReplaceAll(id, "/", "-")+".json")
}

func (s *settings) save(data *schema.ResourceData, revision int) error {
	if s.folder == "" {
		return nil
	}
	text, err := json.MarshalIndent(map[string]any{"size": data.Get("size"), "revision": revision}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.path(data.Id()), append(text, '\n'), 0o600)
}

// A line in the folder's journal, which cases compare.
func (s *settings) note(format string, arguments ...any) {
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

func createServer(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	configured := meta.(*settings)
	switch data.Get("fail").(string) {
	case "create":
		return diag.Errorf("not created, as it was asked to")
	case "panic":
		panic("the provider was asked to panic")
	}
	data.SetId("server/" + data.Get("name").(string))
	configured.note("create %s limit=%s", data.Id(), data.Timeout(schema.TimeoutCreate))
	if err := configured.save(data, 1); err != nil {
		return diag.FromErr(err)
	}
	problems := setComputed(data, configured, 1)
	if data.Get("fail").(string) == "create after" {
		// The object exists, so its id stays: the SDK marks it as tainted.
		return append(problems, diag.Errorf("created and then failed")...)
	}
	return problems
}

func setComputed(data *schema.ResourceData, configured *settings, revision int) diag.Diagnostics {
	var problems diag.Diagnostics
	set := func(name string, value any) {
		if err := data.Set(name, value); err != nil {
			problems = append(problems, diag.FromErr(err)...)
		}
	}
	set("address", configured.region+"/"+data.Get("name").(string))
	set("revision", revision)
	set("status", []string{"running"})
	if disks := data.Get("root_disk").([]any); len(disks) > 0 && disks[0] != nil {
		disk := disks[0].(map[string]any)
		disk["device"] = "/dev/sda"
		set("root_disk", []any{disk})
	}
	var disks []any
	for _, disk := range data.Get("disk").(*schema.Set).List() {
		disk := disk.(map[string]any)
		if disk["size_gb"].(int) == 0 {
			disk["size_gb"] = 8
		}
		disks = append(disks, disk)
	}
	set("disk", disks)
	return problems
}

func readServer(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	configured := meta.(*settings)
	if configured.folder == "" {
		return nil
	}
	text, err := os.ReadFile(configured.path(data.Id()))
	if os.IsNotExist(err) {
		data.SetId("")
		return nil
	}
	if err != nil {
		return diag.FromErr(err)
	}
	var object struct{ Size, Revision int }
	if err := json.Unmarshal(text, &object); err != nil {
		return diag.FromErr(err)
	}
	name := strings.TrimPrefix(data.Id(), "server/")
	if err := data.Set("name", name); err != nil {
		return diag.FromErr(err)
	}
	if err := data.Set("size", object.Size); err != nil {
		return diag.FromErr(err)
	}
	return setComputed(data, configured, object.Revision)
}

func updateServer(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	configured := meta.(*settings)
	if data.Get("fail").(string) == "update" {
		// Without this, what was asked for would be recorded as if it had been done.
		data.Partial(true)
		return diag.Errorf("not updated, as it was asked to")
	}
	revision := data.Get("revision").(int)
	if data.HasChange("size") {
		before, _ := data.GetChange("revision")
		revision = before.(int) + 1
	}
	configured.note("update %s revision=%d", data.Id(), revision)
	if err := configured.save(data, revision); err != nil {
		return diag.FromErr(err)
	}
	return setComputed(data, configured, revision)
}

func deleteServer(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	configured := meta.(*settings)
	configured.note("delete %s limit=%s", data.Id(), data.Timeout(schema.TimeoutDelete))
	if configured.folder == "" {
		return nil
	}
	return diag.FromErr(os.Remove(configured.path(data.Id())))
}
