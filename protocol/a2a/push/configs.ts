import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk'
import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import type { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { leading } from '#protocol/a2a/errors/details.ts'
import { InvalidParams } from '#protocol/a2a/errors/invalid-params.ts'
import type { Exchange } from '#protocol/a2a/exchange.ts'
import type { Version } from '#protocol/a2a/names.ts'
import { brokenToken } from '#protocol/a2a/refusals.ts'

/** The operations behind the methods for notification configs. */
export interface PushOperations {
  set: Operation
  get: Operation
  list: Operation
  delete: Operation
}

/** A target in the output of those operations. */
interface Target {
  id: string
  chat_id: string
  url: string
  scheme: string | null
}

/** The input for a notification config, either in a message or set for a task. */
export function targetIn(config: TaskPushNotificationConfig, version: Version): object {
  const { id, url, token, authentication } = config
  const { scheme = '', credentials = '' } = authentication ?? {}
  return {
    url,
    version,
    ...(id !== '' && { id }),
    ...(token !== '' && { token }),
    ...(scheme !== '' && {
      authentication: { scheme, ...(credentials !== '' && { credentials }) },
    }),
  }
}

const inlineMembers = {
  '1.0': 'taskPushNotificationConfig',
  '0.3': 'pushNotificationConfig',
} as const

/**
 * The part of a message's refusal that concerns its notification config, as an error of the protocol;
 * undefined if there is none.
 */
export function inlineFault(refusal: Refusal, version: Version): InvalidParams | undefined {
  return faultAt(refusal, '/push', `configuration.${inlineMembers[version]}`)
}

/** The methods for the notification configs of one agent's tasks, for one request. */
export class PushConfigs {
  readonly #operations: PushOperations
  readonly #charId: string
  readonly #exchange: Exchange
  readonly #version: Version

  constructor(operations: PushOperations, charId: string, exchange: Exchange, version: Version) {
    this.#operations = operations
    this.#charId = charId
    this.#exchange = exchange
    this.#version = version
  }

  /** @throws TaskNotFoundError, InvalidParams; Refusal */
  async create(config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
    // In 0.3 a client that names no config has a single one, which it replaces.
    const byDefault = this.#version === '0.3' ? config.taskId : ''
    const named = { ...config, id: config.id || byDefault }
    const input = { chat_id: config.taskId, target: targetIn(named, this.#version) }
    return shown(await this.#served<Target>(this.#operations.set, input))
  }

  /** @throws TaskNotFoundError; Refusal */
  async get(params: GetTaskPushNotificationConfigRequest): Promise<TaskPushNotificationConfig> {
    const { taskId: chat_id, id } = params
    if (id !== '') return shown(await this.#served<Target>(this.#operations.get, { chat_id, id }))
    const all = await this.#all(chat_id)
    const found = all.find((one) => one.id === chat_id) ?? all[0]
    if (found) return shown(found)
    throw new TaskNotFoundError('The task has no notification config.')
  }

  /** @throws TaskNotFoundError, InvalidParams; Refusal */
  async list({
    taskId,
    pageSize,
    pageToken,
  }: ListTaskPushNotificationConfigsRequest): Promise<ListTaskPushNotificationConfigsResponse> {
    const all = await this.#all(taskId)
    const last = all.findIndex(({ id }) => id === pageToken)
    if (pageToken !== '' && last < 0) {
      throw brokenToken('This page token is broken or belongs to another list.')
    }
    const page = all.slice(last + 1, pageSize > 0 ? last + 1 + pageSize : undefined)
    const isLast = last + 1 + page.length >= all.length
    return { configs: page.map(shown), nextPageToken: isLast ? '' : (page.at(-1)?.id ?? '') }
  }

  /** @throws TaskNotFoundError; Refusal */
  async delete({ taskId, id }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    await this.#served(this.#operations.delete, { chat_id: taskId, id })
  }

  async #all(chat_id: string): Promise<Target[]> {
    return (await this.#served<{ items: Target[] }>(this.#operations.list, { chat_id })).items
  }

  async #served<T>(operation: Operation, input: object): Promise<T> {
    const whole = { char_id: this.#charId, ...input }
    const { answer, refusal } = await this.#exchange.serve(operation, whole)
    if (refusal) throw this.#told(refusal)
    // The form of the operation's own output.
    return JSON.parse(answer.text) as T
  }

  /** A refusal as an error of the protocol, if there is one for it. */
  #told(refusal: Refusal): Error {
    const { code, message, hint } = refusal
    if (code === 'run_not_found' || code === 'push_config_not_found') {
      return leading(TaskNotFoundError, message, hint)
    }
    const member = this.#version === '0.3' ? 'pushNotificationConfig' : ''
    return faultAt(refusal, '/target', member) ?? refusal
  }
}

/** The first fault of a refused input below a given pointer, at the protocol's member for it. */
function faultAt(
  { code, errors }: Refusal,
  pointer: string,
  member: string,
): InvalidParams | undefined {
  const [fault] = errors ?? []
  if (code !== 'invalid_input' || !fault?.pointer.startsWith(`${pointer}/`)) return undefined
  const steps = fault.pointer.slice(pointer.length + 1).split('/')
  const field = [...(member === '' ? [] : [member]), ...steps].join('.')
  return InvalidParams.at(field, fault.message)
}

/** Secrets are not returned: their members are left out. */
function shown({ id, chat_id: taskId, url, scheme }: Target): TaskPushNotificationConfig {
  const authentication = scheme === null ? undefined : { scheme, credentials: '' }
  return { tenant: '', id, taskId, url, token: '', authentication }
}
