import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { Refusal } from '#src/core/errors.ts'
import { pointerStep } from '#src/core/text/text.ts'
import type { Prompt } from './prompts/prompt.ts'
import { isObject } from './short-form.ts'

/** What a door has of which a request may name something. */
export interface Named {
  prompts: readonly Prompt[]
  resources: { resources: readonly { uri?: unknown }[] }
  /** A call of the tool that is meant, or of any. */
  call: object
}

/** Where something is wrong, and what has to be there. */
type Fault = readonly [pointer: string, message: string]
type Members = Readonly<Record<string, unknown>>
type Check = (params: Members) => Fault | undefined

const isText = (value: unknown): value is string => typeof value === 'string'
const isId = (value: unknown): boolean => isText(value) || Number.isSafeInteger(value)
const areTexts = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every(isText))

function aList({ cursor }: Members): Fault | undefined {
  return cursor === undefined || cursor === null
    ? undefined
    : ['/cursor', 'must be left out: the list is one page']
}

function aTask({ taskId }: Members): Fault | undefined {
  return isText(taskId)
    ? undefined
    : ['/taskId', 'must be the taskId that a tools/call was answered with']
}

/** By which clients of 2025 ask for a task; later ones do not, and it is passed over. */
function askedTask({ task, _meta: meta }: Members): Fault | undefined {
  if (task === undefined || (isObject(meta) && PROTOCOL_VERSION_META_KEY in meta)) return undefined
  if (!isObject(task)) return ['/task', 'must be an object']
  const { ttl = 0 } = task
  return typeof ttl === 'number' ? undefined : ['/task/ttl', 'must be a number of milliseconds']
}

/** What the params of methods are, apart from calls of tools and from handshakes. */
const checks: Readonly<Record<string, Check>> = {
  'tools/list': aList,
  'resources/list': aList,
  'resources/templates/list': aList,
  'prompts/list': aList,
  'resources/read': ({ uri }) =>
    isText(uri) ? undefined : ['/uri', 'must be the address of a resource'],
  'prompts/get': ({ name, arguments: values }) => {
    if (!isText(name)) return ['/name', 'must be the name of a prompt']
    return areTexts(values) ? undefined : ['/arguments', 'must be an object of texts']
  },
  'completion/complete': ({ ref, argument, context }) => {
    const isRef = isObject(ref) && isText(ref['type']) && isText(ref['name'] ?? ref['uri'])
    if (!isRef) {
      return ['/ref', 'must have a type, and a name (of a prompt) or a uri (of a template)']
    }
    const isArgument = isObject(argument) && isText(argument['name']) && isText(argument['value'])
    if (!isArgument) return ['/argument', 'must have a name and a value, both of them texts']
    const isContext = isObject(context) && areTexts(context['arguments'])
    return context === undefined || isContext
      ? undefined
      : ['/context', 'must hold arguments, an object of texts']
  },
  'tools/call': askedTask,
  'tasks/get': aTask,
  'tasks/cancel': aTask,
  'tasks/result': aTask,
  'tasks/update': (params) =>
    aTask(params) ??
    (isObject(params['inputResponses']) && Object.values(params['inputResponses']).every(isObject)
      ? undefined
      : ['/inputResponses', 'must be an object of objects, by the keys of the inputRequests']),
  'subscriptions/listen': ({ notifications: sought }) => {
    if (!isObject(sought)) return ['/notifications', 'must be an object']
    const { resourceSubscriptions: uris = [], taskIds = [], ...lists } = sought
    if (!Array.isArray(taskIds) || !taskIds.every(isText)) {
      return ['/notifications/taskIds', 'must be a list of ids of tasks']
    }
    if (!Array.isArray(uris) || !uris.every(isText)) {
      return ['/notifications/resourceSubscriptions', 'must be a list of addresses of resources']
    }
    const stray = Object.entries(lists).find(([, one]) => typeof one !== 'boolean')
    return stray && [`/notifications${pointerStep(stray[0])}`, 'is a switch: true, or false']
  },
}

/** What `_meta` holds for the protocol itself. */
const metaChecks: Readonly<Record<string, readonly [is: (value: unknown) => boolean, as: string]>> =
  {
    progressToken: [isId, 'must be a string or an integer'],
    [PROTOCOL_VERSION_META_KEY]: [isText, 'must be a revision of the protocol'],
    [CLIENT_INFO_META_KEY]: [
      (value) => isObject(value) && isText(value['name']) && isText(value['version']),
      'must have a name and a version, both of them texts',
    ],
    [CLIENT_CAPABILITIES_META_KEY]: [isObject, 'must be an object'],
  }

function metaFault({ _meta: meta }: Members): Fault | undefined {
  if (meta === undefined) return undefined
  if (!isObject(meta)) return ['/_meta', 'must be an object']
  for (const [name, [is, as]] of Object.entries(metaChecks)) {
    if (meta[name] !== undefined && !is(meta[name])) return [`/_meta${pointerStep(name)}`, as]
  }
  return undefined
}

/**
 * What is wrong with the params of a message, in the words of this door and with those that work.
 * @param method of a request, or of a notification, of which only `_meta` is looked at
 */
export function malformedParams(
  method: string,
  params: Members,
  named: Named,
): Refusal | undefined {
  const check = Object.hasOwn(checks, method) ? checks[method] : undefined
  const [pointer, message] = metaFault(params) ?? check?.(params) ?? []
  if (pointer === undefined || message === undefined) return undefined
  const example = exampleOf(method, named)
  return new Refusal('invalid_input', `${pointer.slice(1)}: ${message}`, {
    errors: [{ pointer, message, code: 'invalid_type' }],
    hint: example
      ? `${method} takes the params ${JSON.stringify(example)}, as an example.`
      : `${method} works without params.`,
  })
}

/** Params of a method that work; undefined where it needs none. */
function exampleOf(method: string, { prompts, resources, call }: Named): object | undefined {
  const prompt = prompts.find(({ entry }) => entry.arguments.length > 0) ?? prompts[0]
  const { name = '', arguments: taken = [] } = prompt?.entry ?? {}
  switch (method) {
    case 'tools/call':
      return call
    case 'resources/read':
      return { uri: resources.resources[0]?.uri }
    case 'prompts/get':
      return {
        name,
        arguments: Object.fromEntries(taken.map((one) => [one.name, one.description])),
      }
    case 'completion/complete': {
      const argument = { name: taken[0]?.name ?? 'name', value: 'a' }
      return { ref: { type: 'ref/prompt', name }, argument }
    }
    case 'tasks/get':
    case 'tasks/cancel':
    case 'tasks/result':
      return { taskId: 'run_01a1fe241d3975cf83926a5fa84be463' }
    case 'tasks/update': {
      const decided = { action: 'accept', content: { decision: 'approve' } }
      return {
        taskId: 'run_01a1fe241d3975cf83926a5fa84be463',
        inputResponses: { apr_01a1fe241d3975cf83926a5fa84be463: decided },
      }
    }
    case 'subscriptions/listen':
      return { notifications: { toolsListChanged: true } }
    default:
      return undefined
  }
}
