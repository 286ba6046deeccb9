/** Events of an app's life, which its webhook gets unless it names others. */
export const lifecycleEvents = ['agent_app.provisioned', 'agent_app.updated', 'agent_app.torn_down']

/** Every event that an app's webhook can get. */
export const appEvents = [
  ...lifecycleEvents,
  'agent_app.provision_failed',
  'run.completed',
  'run.failed',
  'run.waiting_approval',
  'approval.decided',
  'task.paused',
]

/** The pointer of the webhook's secret in the manifest. */
export const webhookSecretPointer = '/webhook/secret'
