// The Kubernetes Metrics Server: measures CPU and memory of the pods of a test cluster.
package main

import (
	"os"

	"k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/cli"
	"sigs.k8s.io/metrics-server/cmd/metrics-server/app"
)

func main() {
	os.Exit(cli.Run(app.NewMetricsServerCommand(server.SetupSignalHandler())))
}
