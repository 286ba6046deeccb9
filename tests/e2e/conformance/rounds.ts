import {
  acceptedContent,
  createRequestStateCodec,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type InputRequiredResult,
  type InputRequiredSpec,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { text } from './contents.ts'

/** What a tool remembers between two rounds, signed, since the client carries it. */
export const rounds = createRequestStateCodec({ key: 'a key of the tests, at least 32 bytes long' })

type Inputs = NonNullable<InputRequiredSpec['inputRequests']>
type Round = CallToolResult | InputRequiredResult

type Field = { type: 'string' } | { type: 'boolean' }

const form = (message: string, member: string, field: Field = { type: 'string' }) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [member]: field }, required: [member] },
  })
const question = (asked: string, maxTokens = 100) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: asked } }],
    maxTokens,
  })

const name = form('What is your name?', 'name')
const confirm = form('Please confirm', 'ok', { type: 'boolean' })

/** Tools that ask their client something before they answer. */
export function addRounds(server: McpServer): void {
  const add = (tool: string, play: (ctx: ServerContext) => Round | Promise<Round>) =>
    server.registerTool(tool, { description: `Asks as ${tool} is to.` }, play)
  add('test_input_required_result_elicitation', (ctx) => {
    const said = acceptedContent<{ name?: string }>(ctx.mcpReq.inputResponses, 'user_name')?.name
    return typeof said === 'string' ? text(`Hello, ${said}!`) : ask({ user_name: name })
  })
  add('test_input_required_result_sampling', (ctx) =>
    once(ctx, { capital_question: question('What is the capital of France?') }),
  )
  add('test_input_required_result_list_roots', (ctx) =>
    once(ctx, { client_roots: inputRequired.listRoots() }),
  )
  add('test_input_required_result_request_state', (ctx) => remembered(ctx, { confirm }, 'state-ok'))
  add('test_input_required_result_tampered_state', (ctx) => remembered(ctx, { confirm }, 'intact'))
  add('test_input_required_result_multiple_inputs', (ctx) =>
    remembered(
      ctx,
      {
        user_name: name,
        greeting: question('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      'All was answered.',
    ),
  )
  add('test_input_required_result_multi_round', twoRounds)
  add('test_input_required_result_capabilities', (ctx) =>
    once(ctx, {
      ...(declares(ctx, 'sampling') && { asked: question('Anything?') }),
      ...(declares(ctx, 'elicitation') && { user_name: name }),
    }),
  )
  add('test_missing_capability', (ctx) => once(ctx, { asked: question('Anything?') }))
  add('test_streaming_elicitation', (ctx) => once(ctx, { user_name: name }))
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks for its context.' },
    (ctx) => {
      const { inputResponses } = ctx.mcpReq
      const said = acceptedContent<{ context?: string }>(inputResponses, 'user_context')?.context
      if (typeof said !== 'string') {
        return ask({ user_context: form('What context should the prompt use?', 'context') })
      }
      return { messages: [{ role: 'user', content: { type: 'text', text: `Of ${said}.` } }] }
    },
  )
}

function ask(inputRequests: Inputs, requestState?: string): InputRequiredResult {
  return inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) })
}

/** Asks until every question was answered. */
function once(ctx: ServerContext, inputs: Inputs): Round {
  const { inputResponses } = ctx.mcpReq
  const answers = Object.keys(inputs).map((key) => inputResponse(inputResponses, key))
  if (answers.some(({ kind }) => kind === 'missing')) return ask(inputs)
  return text(`The answers were ${JSON.stringify(answers)}.`)
}

/** The same, with a state that must come back as it was given. */
async function remembered(ctx: ServerContext, inputs: Inputs, said: string): Promise<Round> {
  const result = once(ctx, inputs)
  if (!('inputRequests' in result)) return text(said)
  return ask(inputs, await rounds.mint({ round: 1 }, ctx))
}

async function twoRounds(ctx: ServerContext): Promise<Round> {
  const { inputResponses } = ctx.mcpReq
  const round = ctx.mcpReq.requestState<{ round: number }>()?.round ?? 0
  if (round === 2 && acceptedContent(inputResponses, 'step2')) return text('Both were answered.')
  if (round >= 1 && acceptedContent(inputResponses, 'step1')) {
    const step2 = form('Step 2: What is your favorite color?', 'color')
    return ask({ step2 }, await rounds.mint({ round: 2 }, ctx))
  }
  return ask(
    { step1: form('Step 1: What is your name?', 'name') },
    await rounds.mint({ round: 1 }, ctx),
  )
}

function declares({ mcpReq }: ServerContext, capability: 'sampling' | 'elicitation'): boolean {
  // The SDK has checked the envelope, whose type names its keys as they are spelled.
  const envelope = mcpReq.envelope as
    | Record<string, Record<string, unknown> | undefined>
    | undefined
  return envelope?.[CLIENT_CAPABILITIES_META_KEY]?.[capability] !== undefined
}
