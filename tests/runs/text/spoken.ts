import { ModelFailure, type Conversation, type Models, type Turn } from '#src/ports/model.ts'
import type { Store } from '#src/ports/store.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import type { StoreKind } from '#tests/support/stores.ts'
import type { World } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

/** A model whose answers a test gives piece by piece. */
export interface SpokenModel {
  models: Models
  /** The answer goes on. */
  say(text: string): Promise<void>
  /** It ends, calls a tool, or breaks off. */
  finish(how?: 'stop' | 'calls' | 'breaks'): Promise<void>
}

interface Asked {
  onText: (piece: string) => Promise<void>
  end: (turn: Turn) => void
  fail: (cause: unknown) => void
  said: string
}

export function spokenModel(): SpokenModel {
  const asked: Asked[] = []
  const conversation: Conversation = {
    turn: ({ onText, signal }) =>
      new Promise((resolve, reject) => {
        asked.push({ onText, end: resolve, fail: reject, said: '' })
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      }),
  }
  const current = async (): Promise<Asked> => {
    await until(() => asked.length > 0)
    const [one] = asked
    if (!one) throw new Error('no one asks the model')
    return one
  }
  return {
    models: {
      defaultModel: { provider: 'openai-compatible', model: 'spoken' },
      embeddings: undefined,
      isConfigured: () => true,
      open: async () => conversation,
      close: async () => undefined,
    },
    async say(text) {
      const turn = await current()
      turn.said += text
      await turn.onText(text)
    },
    async finish(how = 'stop') {
      const { end, fail, said } = await current()
      asked.shift()
      if (how === 'breaks') return fail(new ModelFailure('unavailable', 'it broke off'))
      const calls = how === 'calls' ? [{ id: 'c', name: 'absent', input: {} }] : []
      end({ text: said, calls, finish: how, usage: { input_tokens: 1, output_tokens: 1 } })
    },
  }
}

/** A store whose time is a test's, and a model that the test speaks for. */
export async function openSpoken(kind: StoreKind) {
  const clock = fakeClock()
  const time = () => Promise.resolve(clock.now())
  const store: Store = { ...(await kind.open()), now: time, leaseTime: time }
  return { clock, store, model: spokenModel() }
}

/** A runner of these ports that works when it is woken. */
export function working({ ports }: Pick<World, 'ports'>): Runner {
  const one = runner(ports, 4)
  ports.wake.connect('runs', (count) => one.wake(count))
  return one
}
