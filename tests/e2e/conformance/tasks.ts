import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  acceptedContent,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { addTasks, checkTakesTasks } from '#protocol/mcp/tasks/methods.ts'
import {
  capabilitiesIn,
  takesTasks,
  type InputRequest,
  type InputResponses,
  type Task,
  type TaskSource,
} from '#protocol/mcp/tasks/wire.ts'
import { text } from './contents.ts'

/** What a task does: asks its client, who has answered when the promise resolves, and ends with a result. */
type Work = (asks: (keys: readonly string[]) => Promise<void>) => Promise<CallToolResult>

/** Tasks in the memory of the fixture, behind the methods of the product's door. */
class HeldTasks implements TaskSource {
  readonly #tasks = new Map<string, { task: Task; answered?: () => void }>()

  begin(work: Work): object {
    const at = new Date().toISOString()
    const facts = { taskId: randomUUID(), createdAt: at, lastUpdatedAt: at }
    const task: Task = { ...facts, ttlMs: 3_600_000, pollIntervalMs: 200, status: 'working' }
    this.#tasks.set(task.taskId, { task })
    void this.#follow(task, work)
    return { ...task, resultType: 'task' }
  }

  get(taskId: string): Promise<Task> {
    return Promise.resolve(this.#held(taskId).task)
  }

  update(taskId: string, responses: InputResponses): Promise<void> {
    const { task, answered } = this.#held(taskId)
    if (task.status !== 'input_required') return Promise.resolve()
    const left = Object.entries(task.inputRequests).filter(([key]) => !(key in responses))
    if (left.length === 0) answered?.()
    else this.#set({ ...task, inputRequests: Object.fromEntries(left) }, answered)
    return Promise.resolve()
  }

  cancel(taskId: string): Promise<void> {
    const { task } = this.#held(taskId)
    if (!isOver(task)) this.#set({ ...plain(task), status: 'cancelled' })
    return Promise.resolve()
  }

  async #follow(task: Task, work: Work): Promise<void> {
    const asks = (keys: readonly string[]): Promise<void> =>
      new Promise((resolve) => {
        const inputRequests = Object.fromEntries(keys.map((key) => [key, question(key)]))
        this.#set({ ...plain(task), status: 'input_required', inputRequests }, () => {
          this.#set({ ...plain(task), status: 'working' })
          resolve()
        })
      })
    const ended = await work(asks).then(
      (result): Task => ({ ...plain(task), status: 'completed', result }),
      ({ message }: Error): Task => ({
        ...plain(task),
        status: 'failed',
        error: { code: ProtocolErrorCode.InternalError, message },
      }),
    )
    if (!isOver(this.#held(task.taskId).task)) this.#set(ended)
  }

  #set(task: Task, answered?: () => void): void {
    this.#tasks.set(task.taskId, { task, ...(answered && { answered }) })
  }

  #held(taskId: string): { task: Task; answered?: () => void } {
    const held = this.#tasks.get(taskId)
    if (held) return held
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task.')
  }
}

function isOver({ status }: Task): boolean {
  return status !== 'working' && status !== 'input_required'
}

function plain({ taskId, createdAt, ttlMs, pollIntervalMs = 200 }: Task) {
  return { taskId, createdAt, lastUpdatedAt: new Date().toISOString(), ttlMs, pollIntervalMs }
}

const requestedSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, confirm: { type: 'boolean' } },
}

function question(key: string): InputRequest {
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message: `What of ${key}?`, requestedSchema },
  }
}

type Called = (sent: Record<string, unknown>, context: ServerContext) => Played | Promise<Played>
type Played = object | CallToolResult | InputRequiredResult

/** The tools that the scenarios of tasks ask for. */
function toolsOn(tasks: HeldTasks): Readonly<Record<string, Called>> {
  /** As a task for who takes one; for others as a result, where the tool can. */
  const either =
    (work: Work, isDue = true) =>
    (context: ServerContext) =>
      isDue && takesTasks(capabilitiesIn(context.mcpReq.envelope))
        ? tasks.begin(work)
        : work(() => Promise.resolve())
  const required = (work: Work) => (context: ServerContext) => {
    checkTakesTasks(capabilitiesIn(context.mcpReq.envelope))
    return tasks.begin(work)
  }
  return {
    greet: ({ name }) => text(`Hello, ${String(name)}!`),
    slow_compute: ({ seconds }, context) =>
      either(async () => {
        await pause(Number(seconds) * 1000, undefined, { ref: false })
        return text('Computed.')
      })(context),
    failing_job: (_, context) =>
      required(async () => {
        await pause(200)
        return { ...text('It did not work.'), isError: true }
      })(context),
    protocol_error_job: (_, context) =>
      required(() => Promise.reject(new Error('The job broke.')))(context),
    confirm_delete: (_, context) =>
      either(async (asks) => {
        await asks(['confirm'])
        return text('Deleted.')
      })(context),
    multi_input: (_, context) =>
      either(async (asks) => {
        await asks(['first', 'second'])
        return text('Both were answered.')
      })(context),
    test_tool_with_task: (_, context) => {
      const { inputResponses } = context.mcpReq
      const said = acceptedContent<{ name?: string }>(inputResponses, 'user_name')?.name
      if (typeof said === 'string') {
        return required(() => Promise.resolve(text(`Hello, ${said}!`)))(context)
      }
      const asked = inputRequired.elicit({
        message: 'What is your name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      })
      return inputRequired({ inputRequests: { user_name: asked } })
    },
  }
}

const callParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

/** The server of each exchange with the suite, all of them over the same tasks. */
export function taskServers(): () => Server {
  const tasks = new HeldTasks()
  const tools = toolsOn(tasks)
  const list = Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } }))
  return () => {
    const server = new Server(
      { name: 'conformance-tasks', version: '1.0.0' },
      { capabilities: { tools: {} } },
    )
    addTasks(server, () => tasks)
    server.setRequestHandler('tools/list', { params: z.looseObject({}) }, () => ({ tools: list }))
    server.setRequestHandler('tools/call', { params: callParams }, async (sent, context) => {
      const tool = tools[sent.name]
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
      return { ...(await tool(sent.arguments, context)) }
    })
    return server
  }
}
