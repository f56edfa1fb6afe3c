package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/emptypb"
)

// host answers what generating an SDK takes of Pulumi's LanguageRuntime service; everything else is unimplemented.
type host struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	// What generated files say that they come from.
	program  string
	generate generator
}

// Handshake learns where the CLI listens. Nothing here has anything to tell it.
func (*host) Handshake(
	context.Context, *pulumirpc.LanguageHandshakeRequest,
) (*pulumirpc.LanguageHandshakeResponse, error) {
	return &pulumirpc.LanguageHandshakeResponse{}, nil
}

// GetPluginInfo leaves the version out, since this is a release of nothing.
func (*host) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{}, nil
}

// GeneratePackage writes the SDK of a schema. Schemas that it refers to come from the CLI's loader.
func (h *host) GeneratePackage(
	_ context.Context, request *pulumirpc.GeneratePackageRequest,
) (*pulumirpc.GeneratePackageResponse, error) {
	if request.LoaderTarget == "" {
		return nil, fmt.Errorf("%s: the request names no loader of schemas", h.program)
	}
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, fmt.Errorf("cannot reach the loader of schemas: %w", err)
	}
	defer loader.Close()
	var spec schema.PackageSpec
	if err := json.Unmarshal([]byte(request.Schema), &spec); err != nil {
		return nil, fmt.Errorf("the schema is no schema: %w", err)
	}
	pkg, found, err := schema.BindSpec(spec, loader, schema.ValidationOptions{AllowDanglingReferences: true})
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.GeneratePackageResponse{Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(found)}
	if found.HasErrors() {
		return response, nil
	}
	files, err := h.generate(h.program, pkg, loader, request)
	if err != nil {
		return nil, err
	}
	return response, write(request.Directory, files)
}

func write(directory string, files map[string][]byte) error {
	for name, content := range files {
		path := filepath.Join(directory, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
