package main

import (
	"maps"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// generator makes the files of an SDK, by their path in it.
type generator func(
	program string, pkg *schema.Package, loader schema.ReferenceLoader, request *pulumirpc.GeneratePackageRequest,
) (map[string][]byte, error)

var generators = map[string]generator{
	"nodejs": func(
		program string, pkg *schema.Package, loader schema.ReferenceLoader, request *pulumirpc.GeneratePackageRequest,
	) (map[string][]byte, error) {
		return nodejs.GeneratePackage(
			program, pkg, request.ExtraFiles, request.LocalDependencies, request.Local, loader)
	},
	"python": func(
		program string, pkg *schema.Package, loader schema.ReferenceLoader, request *pulumirpc.GeneratePackageRequest,
	) (map[string][]byte, error) {
		return python.GeneratePackage(program, pkg, request.ExtraFiles, loader)
	},
	"go": func(
		program string, pkg *schema.Package, _ schema.ReferenceLoader, request *pulumirpc.GeneratePackageRequest,
	) (map[string][]byte, error) {
		files, err := golang.GeneratePackage(program, pkg, request.LocalDependencies)
		if err == nil {
			// Go's generator alone does not take these.
			maps.Copy(files, request.ExtraFiles)
		}
		return files, err
	},
}
