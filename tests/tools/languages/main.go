// Pulumi's language hosts as far as `pulumi package gen-sdk` needs them. The hosts themselves are in Go modules that are not to
// be had everywhere; the generators that they call are, and this program puts them behind the service that the CLI asks.
//
// The name that it was started under says which host it is: pulumi-language-nodejs, -python or -go. It runs no
// programs: those of tests are run by the Automation API, which needs no language host.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
)

// How often the CLI is asked whether it is still there.
const healthCheckInterval = time.Minute

func main() {
	program := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	language := strings.TrimPrefix(program, "pulumi-language-")
	generate, known := generators[language]
	if !known {
		fail(fmt.Errorf("started as %s, but this program is pulumi-language-nodejs, -python and -go", program))
	}
	if err := serve(&host{program: program, generate: generate}); err != nil {
		fail(err)
	}
}

// serve answers until the CLI is gone. The first line of standard output is the port, as of every plugin.
func serve(host *host) error {
	// The CLI may give options of tracing before its address.
	flag.String("tracing", "", "ignored")
	flag.String("root", "", "ignored")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	if engine := flag.Arg(0); engine != "" {
		if err := rpcutil.Healthcheck(ctx, engine, healthCheckInterval, cancel); err != nil {
			return err
		}
	}
	ended := make(chan bool)
	go func() {
		<-ctx.Done()
		close(ended)
	}()
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Cancel: ended,
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(server, host)
			return nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Println(handle.Port)
	return <-handle.Done
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
