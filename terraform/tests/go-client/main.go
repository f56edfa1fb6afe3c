// Command go-client is a host made of what Terraform's own is made of: go-plugin starts a provider with AutoMTLS, and
// terraform-plugin-go has the generated messages and the codec of values. It calls every procedure of one protocol version
// and prints the answers as JSON, an object per procedure, for the Rust tests to compare.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// limit on everything together.
const limit = 30 * time.Second

func main() {
	program := flag.String("plugin", "", "the provider's executable")
	name := flag.String("provider", "", "which one it is: sqlite or tiny")
	protocol := flag.Int("protocol", 6, "the only protocol version to offer")
	flag.Parse()
	provider, known := providers[*name]
	if !known {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*program, provider, *protocol); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(program string, provider provider, protocol int) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()

	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{protocol: {"provider": connection{}}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		Cmd:              exec.Command(program),
		Logger:           hclog.NewNullLogger(),
		Stderr:           os.Stderr,
	})
	defer client.Kill()

	rpc, err := client.Client()
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if err := rpc.Ping(); err != nil {
		return fmt.Errorf("health: %w", err)
	}
	raw, err := rpc.Dispense("provider")
	if err != nil {
		return fmt.Errorf("dispense: %w", err)
	}
	answers, err := provider.callAll(ctx, raw.(*grpc.ClientConn), protocol)
	if err != nil {
		return err
	}
	// Asks the plugin to end; only a plugin that does not is killed.
	client.Kill()
	if !client.Exited() {
		return errors.New("the plugin did not end")
	}
	output := json.NewEncoder(os.Stdout)
	output.SetIndent("", "  ")
	output.SetEscapeHTML(false)
	return output.Encode(answers)
}

// connection hands out go-plugin's connection as it is.
type connection struct{ plugin.NetRPCUnsupportedPlugin }

func (connection) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return errors.New("this is a host")
}

func (connection) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}
