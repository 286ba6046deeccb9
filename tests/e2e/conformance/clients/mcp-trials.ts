import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { solved } from '#tests/support/members.ts'
import { trial, type Trial } from './client.ts'
import type { Stage } from './stage.ts'
import type { McpVoice, Speak } from './voice.ts'

interface Asked {
  speak: Speak
  stage: Stage
  /** The revision that they are to agree on; unknown where the client does not tell. */
  revision?: string
}

/** What is true of the client while it is connected. */
async function connected(
  speak: Speak,
  credential: string | undefined,
  work: (voice: McpVoice) => Promise<void>,
): Promise<void> {
  const voice = await speak(credential)
  try {
    await work(voice)
  } finally {
    await voice.close()
  }
}

async function answered<T>(
  voice: McpVoice,
  name: string,
  args?: Record<string, unknown>,
): Promise<T> {
  const { isError, structuredContent, content } = await voice.call(name, args)
  assert.ok(!isError && structuredContent, `${name} was refused: ${content[0]?.text}`)
  // The trial says what it expects of the answer.
  return structuredContent as T
}

function agrees(speak: Speak, revision: string): Trial {
  return trial(`agrees on ${revision}`, () =>
    connected(speak, undefined, (voice) => Promise.resolve(assert.equal(voice.revision, revision))),
  )
}

/** What a client does at the door of the platform. */
export function onPlatform({ speak, stage, revision }: Asked): Trial[] {
  return [
    ...(revision === undefined ? [] : [agrees(speak, revision)]),
    trial('lists tools, resources and prompts', () =>
      connected(speak, undefined, async (voice) => {
        const tools = await voice.tools()
        assert.ok(tools.includes('agent_claim_create') && tools.includes('tasks_run'))
        assert.ok((await voice.resources()).includes('abode://skill'))
        assert.ok((await voice.prompts()).includes('get_started'))
      }),
    ),
    trial('gets a key without one, and calls with it', async () => {
      let key = ''
      await connected(speak, undefined, async (voice) => {
        key = (await answered<{ api_key: string }>(voice, 'agent_claim_create')).api_key
      })
      await connected(speak, key, async (voice) => {
        const { plan } = await answered<{ plan: unknown }>(voice, 'account_get')
        assert.notEqual(plan, undefined)
      })
    }),
    trial('runs a task and reads the run', async () => {
      const key = await stage.key()
      const char_id = await stage.agent(key)
      await connected(speak, key, async (voice) => {
        const task = { char_id, task_id: 'echo', input: 'tides', wait_seconds: 20 }
        const { id } = await answered<{ id: string }>(voice, 'tasks_run', task)
        const run = await answered<Run>(voice, 'runs_get', { run_id: id })
        assert.deepEqual([run.status, run.output], ['completed', 'Echo: tides'])
      })
    }),
    trial('is told a refusal as a result that says what to do', () =>
      connected(speak, undefined, async (voice) => {
        const { isError, content, _meta } = await voice.call('account_get')
        assert.equal(isError, true)
        assert.match(content[0]?.text ?? '', /agent_claim_create|agent-claim/)
        // Clients that give no `_meta` have the same object in the text.
        const error = _meta?.['abode/error'] ?? JSON.parse(content[0]?.text ?? '{}')
        assert.equal((error as { code: string }).code, 'unauthenticated')
      }),
    ),
    trial('reads a resource, gets a prompt and has its argument completed', async () => {
      const key = await stage.key()
      const char_id = await stage.agent(key)
      await connected(speak, key, async (voice) => {
        assert.match(await voice.read('abode://skill'), /agent_claim_create/)
        assert.match(await voice.read(`abode://characters/${char_id}`), new RegExp(char_id))
        assert.deepEqual(await voice.complete('be_the_brain', 'char_id', 'echo'), [char_id])
        assert.match(await voice.prompt('be_the_brain', { char_id }), /runs_lease/)
      })
    }),
  ]
}

interface Run {
  status: string
  output: unknown
}

/** What a client does at the door of the Commons. */
export function inCommons({ speak, stage, revision }: Asked): Trial[] {
  return [
    ...(revision === undefined ? [] : [agrees(speak, revision)]),
    trial('reads and joins without a credential', () =>
      connected(speak, undefined, async (voice) => {
        const { challenge, bits } = await answered<{ challenge: string; bits: number }>(
          voice,
          'commons_challenge_get',
        )
        const sent = { challenge, counter: solved(challenge, bits) }
        const { token } = await answered<{ token: string }>(
          voice,
          'commons_identities_create',
          sent,
        )
        assert.match(token, /^cmn_/)
        await answered(voice, 'commons_threads_list')
      }),
    ),
    trial('asks, is answered, and accepts the answer', async () => {
      const words = randomUUID()
      const [asker, helper] = [await speak(await stage.member()), await speak(await stage.member())]
      try {
        const { id } = await answered<{ id: string }>(asker, 'commons_threads_create', {
          board: 'ask',
          title: `How is ${words} told from the others?`,
          body: `I have tried all that is written of ${words}, and know no more than before.`,
        })
        const reply = await answered<{ id: string }>(helper, 'commons_replies_create', {
          thread_id: id,
          body: `Compare it with what came before ${words}: the first half tells.`,
        })
        const accepted = { thread_id: id, reply_id: reply.id }
        const thread = await answered<Thread>(asker, 'commons_threads_accept', accepted)
        assert.deepEqual([thread.state, thread.accepted_reply_id], ['answered', reply.id])
      } finally {
        await asker.close()
        await helper.close()
      }
    }),
  ]
}

interface Thread {
  state: string
  accepted_reply_id: string
}
