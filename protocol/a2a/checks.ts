import * as z from 'zod'
import { rpcCodes, type RpcError } from '#protocol/json-rpc.ts'
import { illFormed } from '#src/core/input/walk.ts'
import { issueWords } from '#src/core/words/issue.ts'
import type { ProtocolMethod, Version } from './names.ts'
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
 * What is wrong with the params of one of the protocol's methods, each member by its path, or
 * undefined. The SDK itself converts what it can: numbers become texts, and missing members empty ones.
 */
export function paramsFault(
  method: ProtocolMethod,
  version: Version,
  params: unknown,
): RpcError | undefined {
  const result = checks[version][method]?.safeParse(params ?? {}, { error: issueWords })
  if (!result || result.success) return undefined
  const fieldViolations = result.error.issues.map(({ path, message }) => ({
    field: fieldOf(path),
    description: message,
  }))
  const error = invalidParams(fieldViolations)
  const shown = JSON.stringify(paramsShown(method, version, params))
  const where = version === '1.0' && shown.includes('"TASK_ID"') ? ` ${listed}` : ''
  return {
    ...error,
    message: `${error.message.replace(/\.$/, '')}. Send params such as ${shown}.${where}`,
  }
}

/** Version 0.3 has no such method. */
const listed = 'ListTasks lists the tasks that you may see.'

interface FieldViolation {
  field: string
  description: string
}

/** A member of the params is wrong in a way that only the method can detect. */
export class InvalidParams extends Error {
  override readonly name = 'InvalidParams'
  /** The path of the member. */
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }

  toError(): RpcError {
    return invalidParams([{ field: this.field, description: this.message }])
  }
}

function invalidParams(fieldViolations: readonly FieldViolation[]): RpcError {
  const [first] = fieldViolations
  const what = first?.description ?? 'The params are not valid.'
  return {
    code: rpcCodes.invalidParams,
    message: first?.field ? `${first.field}: ${what}` : what,
    data: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }],
  }
}

/** `message.parts[0].text`, in the notation of google.rpc. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((field, step) => {
    if (typeof step === 'number') return `${field}[${step}]`
    return field === '' ? String(step) : `${field}.${String(step)}`
  }, '')
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
