import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chatOperations } from '#src/catalog/chat.ts'
import type { ChatShown } from '#src/runs/chat/view.ts'
import type { Store } from '#src/ports/store.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { modelsOf } from '#tests/support/models.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { chatsOf, makeTalker, talker, think, type As, type Chats } from './chats.ts'

describe.each(oneStore())('a conversation with a model, on $name', (kind) => {
  let store: Store
  let server: ModelServer
  let world: World
  let work: Runner
  let chats: Chats
  let sender: As

  beforeEach(async () => {
    store = await kind.open()
    server = await startModelServer()
    const models = modelsOf({
      defaultModel: { provider: 'openai-compatible', model: 'm' },
      openai: { apiKey: 'sk-tests', baseUrl: server.baseUrl },
    })
    const made = openWorld(store, { models })
    world = made
    work = runner(made.ports, 1)
    made.ports.wake.connect('runs', (count) => work.wake(count))
    chats = chatsOf(made.core)
    const owner = await world.account()
    sender = { key: (await world.account()).key }
    await makeTalker(world, owner.key, talker('ada', 'public', [think]))
  })
  afterEach(async () => {
    await work.stop()
    server.close()
    await store.close()
  })

  const said = async (text: string, answer: string, more: object = {}): Promise<ChatShown> => {
    server.plays({ text: [answer] })
    const { id } = await chats.say(text, sender, more)
    const look = (): Promise<ChatShown> =>
      chats.ask(chatOperations.get, { char_id: 'ada', id }, sender)
    await until(async () => (await look()).status === 'completed')
    return look()
  }
  const told = (i: number): string => JSON.stringify(server.asked[i]?.body.messages)

  it('is told to the model, each message between marks that its sender cannot know', async () => {
    const first = await said('Who was Ada?', 'A mathematician.')
    expect(first.output).toBe('A mathematician.')
    expect(told(0)).not.toContain('what you answered')
    await said('Elsewhere', 'Another conversation.')
    await said('And when?', 'In 1815.', { context_id: first.context_id })
    expect(told(2)).toMatch(/Think of \[(\w{16}) untrusted: input\\nAnd when\?\\n… \1\]/)
    expect(told(2)).toMatch(/\[\w{16} untrusted: an earlier message[^]*Who was Ada\?/)
    expect(told(2)).toMatch(/\[\w{16} untrusted: what you answered it[^]*A mathematician\./)
    expect(told(2)).not.toContain('Elsewhere')
    expect(told(2)).not.toContain('Another conversation')
  })
})
