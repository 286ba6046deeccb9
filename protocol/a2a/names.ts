/** The supported versions of the protocol; a request without one means the older. */
export const versions = ['1.0', '0.3'] as const
export type Version = (typeof versions)[number]

/** A protocol method's name in 1.0, and what it does with an answer. */
export type ProtocolMethod =
  | 'SendMessage'
  | 'SendStreamingMessage'
  | 'GetTask'
  | 'ListTasks'
  | 'CancelTask'
  | 'SubscribeToTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig'
  | 'GetExtendedAgentCard'

/** Every method by its name in 1.0, with its name in 0.3; ListTasks is newer. */
const namesIn03: Readonly<Record<ProtocolMethod, string | undefined>> = {
  SendMessage: 'message/send',
  SendStreamingMessage: 'message/stream',
  GetTask: 'tasks/get',
  ListTasks: undefined,
  CancelTask: 'tasks/cancel',
  SubscribeToTask: 'tasks/resubscribe',
  CreateTaskPushNotificationConfig: 'tasks/pushNotificationConfig/set',
  GetTaskPushNotificationConfig: 'tasks/pushNotificationConfig/get',
  ListTaskPushNotificationConfigs: 'tasks/pushNotificationConfig/list',
  DeleteTaskPushNotificationConfig: 'tasks/pushNotificationConfig/delete',
  GetExtendedAgentCard: 'agent/getAuthenticatedExtendedCard',
}

const byName = new Map<string, { method: ProtocolMethod; version: Version }>()
for (const [method, legacy] of Object.entries(namesIn03)) {
  // The record above has no other keys.
  const name = method as ProtocolMethod
  byName.set(name, { method: name, version: '1.0' })
  if (legacy !== undefined) byName.set(legacy, { method: name, version: '0.3' })
}

/** The protocol method and version that a name stands for, if there is one. */
export function protocolMethod(
  name: string,
): { method: ProtocolMethod; version: Version } | undefined {
  return byName.get(name)
}

export const protocolNames: readonly string[] = [...byName.keys()]

/**
 * The version that a request asks for, or undefined if it is not supported. Patch numbers are ignored,
 * and no version at all means 0.3, which had no header for it.
 */
export function versionAsked(header: string | null | undefined): Version | undefined {
  const asked = header?.trim() || '0.3'
  const [, short] = /^(\d+\.\d+)(?:\.\d+)?$/.exec(asked) ?? []
  return versions.find((version) => version === short)
}

/** The URI under which every operation is a JSON-RPC method of its own. */
export function operationsExtension(publicUrl: string): string {
  return `${publicUrl}/ext/operations/v1`
}
