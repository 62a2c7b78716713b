using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "agent", worker = .agent),
    # The service and the provider of the test are on this machine.
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "agent")],
);

const agent :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.bundle.js")],
  compatibilityDate = "2026-06-01",
  compatibilityFlags = ["nodejs_compat"],
);
