import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import {
  capabilitiesIn,
  takesTasks,
  tasksExtension,
  type ClientCapabilities,
  type TaskSource,
} from './wire.ts'

/** The methods of the extension. */
export const taskMethods = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const

const params = z.object({ taskId: z.string() })

/** The tasks that a client with these capabilities may ask for, until its request ends. */
export type TasksFor = (client: ClientCapabilities, signal: AbortSignal) => TaskSource

/** Declares the extension, and adds its methods to a server of the current revision. */
export function addTasks(server: Server, tasksFor: TasksFor): void {
  server.registerCapabilities({ extensions: { [tasksExtension]: {} } })
  const sourceFor = ({ mcpReq }: ServerContext): TaskSource => {
    const client = capabilitiesIn(mcpReq.envelope)
    checkTakesTasks(client)
    return tasksFor(client, mcpReq.signal)
  }
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) => ({
    ...(await sourceFor(context).get(taskId)),
  }))
  server.setRequestHandler('tasks/update', { params }, async ({ taskId }, context) => {
    // The library keeps those that are objects.
    await sourceFor(context).update(taskId, context.mcpReq.inputResponses ?? {})
    return {}
  })
  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, context) => {
    await sourceFor(context).cancel(taskId)
    return {}
  })
}

/** @throws ProtocolError for a client that does not declare the extension with its request */
export function checkTakesTasks(client: ClientCapabilities): void {
  if (!takesTasks(client)) throw missingExtension()
}

/** The error for a client that does not declare the extension. */
export function missingExtension(): MissingRequiredClientCapabilityError {
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } }
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities },
    `Tasks are for clients that declare ${JSON.stringify(requiredCapabilities)} in _meta["${CLIENT_CAPABILITIES_META_KEY}"] of the request.`,
  )
}
