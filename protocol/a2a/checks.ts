import * as z from 'zod'
import { illFormed } from '#src/core/input/walk.ts'
import { listsTasks } from '#src/core/text/chat.ts'
import { pointerTo } from '#src/core/text/text.ts'
import { issueWords } from '#src/core/words/issue.ts'
import type { ProtocolMethod, Version } from './names.ts'
import { InvalidParams } from './errors/invalid-params.ts'
import { paramsShown } from './request/params-shown.ts'
import { InlineConfig, InlineConfig03, pushChecks } from './push/checks.ts'

/** As for an operation's input; deeper values cannot be copied and serialised. */
const depthAtMost = 32

// ProtoJSON treats null as an absent member, and ignores unknown members.
const wellFormed = z.string().refine((value) => value.isWellFormed(), illFormed)
const text = wellFormed.nullish()
const count = z.int().min(0).nullish()
const object = z.record(z.string(), z.unknown())
const free = object
  .refine((value) => isShallow(value, depthAtMost), {
    error: `At most ${depthAtMost} levels deep.`,
    abort: true,
  })
  .refine(isWellFormed, illFormed)
  .nullish()
const names = z.array(wellFormed).nullish()
const id = wellFormed.min(1).max(256)
/** Stored in an index. */
const context = wellFormed.max(256).nullish()

/** According to RFC 4648: invalid base64 would be decoded to other bytes. */
const base64 = z.base64('must be base64')

const contents = ['text', 'raw', 'url', 'data'] as const
const Part = z
  .looseObject({
    text,
    raw: base64.nullish(),
    url: text,
    mediaType: text,
    filename: text,
    metadata: free,
  })
  .refine((part) => contents.filter((member) => (part[member] ?? null) !== null).length === 1, {
    message: `A part has exactly one of ${contents.join(', ')}.`,
  })

const Message = z.looseObject({
  messageId: wellFormed.min(1).max(1024),
  role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
  parts: z.array(Part).min(1),
  contextId: context,
  taskId: text,
  metadata: free,
  extensions: names,
  referenceTaskIds: names,
})

const SendMessage = z.looseObject({
  tenant: text,
  message: Message,
  configuration: z
    .looseObject({
      acceptedOutputModes: names,
      historyLength: count,
      returnImmediately: z.boolean().nullish(),
      taskPushNotificationConfig: InlineConfig.nullish(),
    })
    .nullish(),
  metadata: free,
})

const OneTask = z.looseObject({ tenant: text, id, historyLength: count })

const ListTasks = z.looseObject({
  tenant: text,
  contextId: context,
  status: z
    .enum([
      'TASK_STATE_UNSPECIFIED',
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_WORKING',
      'TASK_STATE_COMPLETED',
      'TASK_STATE_FAILED',
      'TASK_STATE_CANCELED',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_REJECTED',
      'TASK_STATE_AUTH_REQUIRED',
    ])
    .nullish(),
  pageSize: z.int().min(1).max(100).nullish(),
  pageToken: z.string().max(1024).nullish(),
  historyLength: count,
  statusTimestampAfter: z.iso.datetime({ offset: true }).nullish(),
  includeArtifacts: z.boolean().nullish(),
})

const LegacyPart = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('text'), text: wellFormed, metadata: free }),
  z.looseObject({ kind: z.literal('data'), data: object, metadata: free }),
  z.looseObject({
    kind: z.literal('file'),
    file: z.union([z.looseObject({ bytes: base64 }), z.looseObject({ uri: z.string() })]),
    metadata: free,
  }),
])

const LegacySendMessage = z.looseObject({
  message: Message.extend({
    role: z.enum(['user', 'agent']),
    parts: z.array(LegacyPart).min(1),
  }),
  configuration: z
    .looseObject({
      acceptedOutputModes: names,
      historyLength: count,
      blocking: z.boolean().nullish(),
      pushNotificationConfig: InlineConfig03.nullish(),
    })
    .nullish(),
  metadata: free,
})

type Checks = Partial<Record<ProtocolMethod, z.ZodType>>

const ofTasks: Checks = { GetTask: OneTask, CancelTask: OneTask, SubscribeToTask: OneTask }
const checks: Readonly<Record<Version, Checks>> = {
  '1.0': {
    ...ofTasks,
    ...pushChecks['1.0'],
    SendMessage,
    SendStreamingMessage: SendMessage,
    ListTasks,
  },
  '0.3': {
    ...ofTasks,
    ...pushChecks['0.3'],
    SendMessage: LegacySendMessage,
    SendStreamingMessage: LegacySendMessage,
  },
}

/**
 * What is wrong with the params of one of the protocol's methods, each member by its path, and params that work; or
 * undefined. The SDK itself converts what it can: numbers become texts, and missing members empty ones.
 */
export function paramsFault(
  method: ProtocolMethod,
  version: Version,
  params: unknown,
): InvalidParams | undefined {
  const result = checks[version][method]?.safeParse(params ?? {}, { error: issueWords })
  if (!result || result.success) return undefined
  const [first, ...more] = result.error.issues.map(({ path, message, code }) => ({
    pointer: pointerTo(path),
    message,
    code,
  }))
  if (!first) return undefined
  const shown = JSON.stringify(paramsShown(method, version, params))
  const where = shown.includes('"TASK_ID"') ? ` ${listsTasks}` : ''
  return new InvalidParams([first, ...more], `Send params such as ${shown}.${where}`)
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(
    ([name, member]) => name.isWellFormed() && isWellFormed(member),
  )
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1))
}
