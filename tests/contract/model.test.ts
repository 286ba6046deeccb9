import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ModelFailure,
  type Conversation,
  type Models,
  type Opening,
  type ToolAnswer,
  type Turn,
} from '#src/ports/model.ts'
import {
  startModelServer,
  type ModelServer,
  type ScriptedTurn,
} from '#tests/support/model-server.ts'
import { modelsOf } from '#tests/support/models.ts'

const key = 'sk-marker-0123456789'
const weather = {
  name: 'weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
}
const opening: Opening = {
  system: 'You are Ada.',
  prompt: 'What is the weather?',
  tools: [weather],
  temperature: 0.3,
  maxTokens: 77,
}

describe.each(['openai', 'openai-compatible', 'anthropic'])(
  'a conversation with %s',
  (provider) => {
    let server: ModelServer
    let models: Models
    beforeEach(async () => {
      server = await startModelServer()
      const access = { apiKey: key, baseUrl: server.baseUrl }
      models = modelsOf({ openai: access, anthropic: access })
    })
    afterEach(async () => {
      await models.close()
      server.close()
    })

    const open = (changed: Partial<Opening> = {}): Promise<Conversation> =>
      models.open({ provider, model: 'm-1' }, {}, { ...opening, ...changed })
    const take = async (
      conversation: Conversation,
      answers: ToolAnswer[] = [],
      signal = new AbortController().signal,
    ): Promise<Turn & { pieces: string[] }> => {
      const pieces: string[] = []
      const onText = async (piece: string): Promise<void> => void pieces.push(piece)
      return { ...(await conversation.turn({ answers, signal, onText })), pieces }
    }
    const failing = async (...turns: ScriptedTurn[]): Promise<ModelFailure> => {
      server.plays(...turns)
      const cause: unknown = await open()
        .then(take)
        .catch((error: unknown) => error)
      if (cause instanceof ModelFailure) return cause
      throw new Error('it did not fail as a provider does', { cause })
    }

    it('streams text as it comes, and counts', async () => {
      server.plays({ text: ['It ', 'is ', 'sunny.'], usage: { input: 12, output: 3 } })
      const turn = await take(await open())
      expect(turn).toEqual({
        text: 'It is sunny.',
        calls: [],
        finish: 'stop',
        usage: { input_tokens: 12, output_tokens: 3 },
        pieces: ['It ', 'is ', 'sunny.'],
      })
    })

    it('says who it is, who the model is to be, and what it may use', async () => {
      server.plays({ text: ['x'] })
      await take(await open())
      const [asked] = server.asked
      const body = asked?.body
      const text = JSON.stringify(body)
      expect(asked?.headers['x-api-key'] ?? asked?.headers.authorization).toMatch(key)
      expect(text).toContain('You are Ada.')
      expect(text).toContain('What is the weather?')
      expect(text).toContain('The weather of a place.')
      expect(body).toMatchObject({ model: 'm-1', temperature: 0.3, stream: true })
      const limit = provider === 'openai' ? 'max_completion_tokens' : 'max_tokens'
      expect(body).toMatchObject({ [limit]: 77 })
    })

    it('gets the results of its calls, and goes on', async () => {
      server.plays(
        {
          text: ['Let me see.'],
          calls: [
            { id: 'one', name: 'weather', arguments: { place: 'Rome' } },
            { id: 'two', name: 'weather', arguments: { place: 'Oslo' } },
          ],
        },
        { text: ['Warm and cold.'] },
      )
      const conversation = await open()
      const first = await take(conversation)
      expect(first).toMatchObject({
        finish: 'calls',
        text: 'Let me see.',
        calls: [
          { id: 'one', name: 'weather', input: { place: 'Rome' } },
          { id: 'two', name: 'weather', input: { place: 'Oslo' } },
        ],
      })
      const [rome, oslo] = first.calls
      if (!rome || !oslo) throw new Error('there are two calls')
      const second = await take(conversation, [
        { call: rome, text: '25 degrees', isError: false },
        { call: oslo, text: 'no such place', isError: true },
      ])
      expect(second).toMatchObject({ finish: 'stop', text: 'Warm and cold.' })
      const text = JSON.stringify(server.asked[1]?.body.messages)
      for (const said of [
        'What is the weather?',
        'Let me see.',
        'Rome',
        '25 degrees',
        'no such place',
      ]) {
        expect(text).toContain(said)
      }
    })

    it('answers calls of tools that do not exist, and arguments that are no JSON, once each', async () => {
      server.plays(
        { calls: [{ id: 'one', name: 'teleport', arguments: { to: 'Mars' } }] },
        { calls: [{ id: 'two', name: 'weather', arguments: '{"place": ' }] },
        { text: ['Sorry.'] },
      )
      const conversation = await open()
      const answersTo = ({ calls }: Turn): ToolAnswer[] =>
        calls.map((call) => ({ call, text: 'THE ANSWER', isError: true }))
      const first = await take(conversation)
      expect(first.calls).toEqual([{ id: 'one', name: 'teleport', input: { to: 'Mars' } }])
      const second = await take(conversation, answersTo(first))
      expect(second.calls).toMatchObject([{ id: 'two', name: 'weather' }])
      const third = await take(conversation, answersTo(second))
      expect(third.text).toBe('Sorry.')
      const text = JSON.stringify(server.asked[2]?.body.messages)
      expect(text.match(/THE ANSWER/g)).toHaveLength(2)
      expect(text).not.toMatch(/unavailable tool|Available tools/)
    })

    it.each([
      ['length', 'length', 'max_tokens'],
      ['refused', 'content_filter', 'refusal'],
    ])('tells an end by %s', async (finish, openai, anthropic) => {
      server.plays({ text: ['Half of'], finish: provider === 'anthropic' ? anthropic : openai })
      expect(await take(await open())).toMatchObject({ finish, text: 'Half of' })
    })

    it.each([
      [401, 'unauthorized'],
      [403, 'unauthorized'],
      [404, 'rejected'],
      [400, 'rejected'],
      [429, 'rate_limited'],
      [500, 'unavailable'],
      [503, 'unavailable'],
      [529, 'unavailable'],
    ])('tells what status %i means: %s', async (status, fault) => {
      const failure = await failing({ status, message: `no ${key} here` })
      expect(failure).toMatchObject({ fault })
      expect(failure.isTransient).toBe(status === 429 || status >= 500)
      expect(failure.message).not.toContain(key)
      expect(server.asked).toHaveLength(1)
    })

    it('has the words of a provider that refuses, cut, and without the key', async () => {
      const { message } = await failing({
        status: 404,
        message: `no model ${key}${'x'.repeat(9999)}`,
      })
      expect(message).toContain('no model [secret]xxx')
      expect(message.length).toBeLessThan(700)
    })

    it('says when it may be asked again', async () => {
      const failure = await failing({ status: 429, headers: { 'retry-after': '7' } })
      expect(failure.retryAfterMs).toBe(7000)
    })

    it.each([['broken'], ['ended']] as const)(
      'tells a stream that is cut off (%s)',
      async (cut) => {
        expect(await failing({ text: ['Half'], cut })).toMatchObject({
          fault: 'unavailable',
          message: 'The answer of the provider was cut off.',
        })
      },
    )

    it('tells an answer that cannot be read', async () => {
      expect(await failing({ raw: 'data: {"choices": nonsense\n\n' })).toMatchObject({
        fault: 'unreadable',
      })
    })

    it('tells an answer that grows too large', async () => {
      const large = `data: "${'x'.repeat(11 * 1024 * 1024)}"\n\n`
      expect(await failing({ raw: large })).toMatchObject({ fault: 'unreadable' })
    })

    it('does not follow a redirect with the key', async () => {
      const failure = await failing({
        status: 302,
        headers: { location: `${server.origin}/other` },
      })
      expect(failure.isTransient).toBe(false)
      expect(server.asked).toHaveLength(1)
    })

    it('remembers nothing of a turn that failed', async () => {
      server.plays({ text: ['Half'], cut: 'broken' }, { text: ['Whole.'] })
      const conversation = await open()
      await expect(take(conversation)).rejects.toBeInstanceOf(ModelFailure)
      expect(await take(conversation)).toMatchObject({ text: 'Whole.' })
      expect(server.asked[1]?.body.messages).toEqual(server.asked[0]?.body.messages)
    })

    it('is disconnected at once when its answer is no longer wanted', async () => {
      server.plays({ text: ['Well'], hangs: true })
      const conversation = await open()
      const enough = new AbortController()
      const onText = async (): Promise<void> => enough.abort(new Error('enough'))
      const turn = conversation.turn({ answers: [], signal: enough.signal, onText })
      await expect(turn).rejects.toThrow('enough')
      await server.left
    })

    it('passes on an error of the listener', async () => {
      server.plays({ text: ['Well'], hangs: true })
      const conversation = await open()
      const { signal } = new AbortController()
      const onText = async (): Promise<void> => {
        throw new RangeError('no room')
      }
      await expect(conversation.turn({ answers: [], signal, onText })).rejects.toThrow('no room')
      await server.left
    })

    it('does not call a listener again that has failed, however much text is left', async () => {
      server.plays({ text: Array<string>(2000).fill('more ') })
      const conversation = await open()
      const { signal } = new AbortController()
      let heard = 0
      const onText = async (): Promise<void> => {
        heard += 1
        throw new RangeError('no room')
      }
      await expect(conversation.turn({ answers: [], signal, onText })).rejects.toThrow('no room')
      expect(heard).toBe(1)
    })

    it('takes a long answer in small pieces, one by one, also where it has a schema', async () => {
      // Parsing all the text again with each piece would take gigabytes and minutes.
      const pieces = ['{"value":"', ...Array<string>(30_000).fill('piece '), '"}']
      server.plays({ text: pieces })
      const schema = { type: 'object', properties: { value: { type: 'string' } } }
      const turn = await take(await open({ tools: [], schema }))
      expect(turn.text === pieces.join('')).toBe(true)
      // There the library waits for a tool to give the answer, and holds its text back until the end.
      expect(turn.pieces.length).toBe(provider === 'anthropic' ? 1 : pieces.length)
    })
  },
)

describe('what OpenAI itself wants', () => {
  it.each([
    ['o3', undefined],
    ['gpt-5.2-mini', undefined],
    ['gpt-5-chat-latest', 0.3],
    ['gpt-4.1', 0.3],
  ])('the model %s is sent the temperature %s', async (model, temperature) => {
    const server = await startModelServer()
    const models = modelsOf({ openai: { apiKey: key, baseUrl: server.baseUrl } })
    server.plays({ text: ['x'] })
    const conversation = await models.open({ provider: 'openai', model }, {}, opening)
    const onText = async (): Promise<void> => undefined
    await conversation.turn({ answers: [], signal: new AbortController().signal, onText })
    expect(server.asked[0]?.body['temperature']).toBe(temperature)
    await models.close()
    server.close()
  })
})

describe('who may use which provider', () => {
  const own = { OPENAI_API_KEY: 'own', OPENAI_BASE_URL: 'https://own.example/v1' }
  const { OPENAI_API_KEY, OPENAI_BASE_URL } = own

  it.each([
    ['nothing is set', {}, {}, []],
    ['the operator has a key', { openai: { apiKey: 'k' } }, {}, ['openai', 'openai-compatible']],
    [
      'the operator has an address alone',
      { openai: { baseUrl: 'http://127.0.0.1:1/v1' } },
      {},
      ['openai-compatible'],
    ],
    ['the operator has a key', { anthropic: { apiKey: 'k' } }, {}, ['anthropic']],
    ['the agent has a key', {}, { OPENAI_API_KEY }, ['openai', 'openai-compatible']],
    ['the agent has an address', {}, { OPENAI_BASE_URL }, ['openai-compatible']],
    ['the agent has both', {}, own, ['openai', 'openai-compatible']],
    ['the agent has a key', {}, { ANTHROPIC_API_KEY: 'k' }, ['anthropic']],
    ['the agent has other secrets', {}, { GITHUB_TOKEN: 'k' }, []],
    [
      'the operator has a key and the agent an address',
      { openai: { apiKey: 'k' } },
      { OPENAI_BASE_URL },
      ['openai-compatible'],
    ],
  ])('%s', (_, set, brought, expected) => {
    const models = modelsOf(set)
    const all = ['openai', 'openai-compatible', 'anthropic', 'gemini']
    expect(all.filter((one) => models.isConfigured(one, brought))).toEqual(expected)
  })

  const asked = async (models: Models, brought: Record<string, string>): Promise<unknown> => {
    const name = { provider: 'openai-compatible', model: 'm' }
    const conversation = await models.open(name, brought, opening)
    const onText = async (): Promise<void> => undefined
    return conversation.turn({ answers: [], signal: new AbortController().signal, onText })
  }

  it('the key of the operator never goes to an address of an agent', async () => {
    const server = await startModelServer()
    const models = modelsOf({ openai: { apiKey: key }, allow: [server.origin] })
    server.plays({ text: ['x'] })
    await asked(models, { OPENAI_BASE_URL: server.baseUrl })
    expect(JSON.stringify(server.asked)).not.toContain(key)
    expect(server.asked).toHaveLength(1)
    server.close()
  })

  it('an address of an agent is guarded, also where the operator reaches the same one', async () => {
    const server = await startModelServer()
    const models = modelsOf({ openai: { apiKey: key, baseUrl: server.baseUrl } })
    server.plays({ text: ['x'] }, { text: ['x'] })
    await expect(asked(models, { OPENAI_BASE_URL: server.baseUrl })).rejects.toMatchObject({
      fault: 'rejected',
      message: 'The address leads to a place that this server does not call.',
    })
    expect(server.asked).toEqual([])
    await expect(asked(models, {})).resolves.toMatchObject({ text: 'x' })
    server.close()
  })

  it('the key of an agent goes before the one of the operator', async () => {
    const server = await startModelServer()
    const models = modelsOf({ openai: { apiKey: key, baseUrl: server.baseUrl } })
    server.plays({ text: ['x'] })
    await asked(models, { OPENAI_API_KEY: 'sk-own' })
    expect(server.asked[0]?.headers.authorization).toBe('Bearer sk-own')
    server.close()
  })
})
