import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { TaskState, type SendMessageRequest, type Task } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { solved } from '#tests/support/members.ts'
import { ask, asking, outputOf, saying, send } from '../../a2a-clients.ts'
import { trial, type Trial } from './client.ts'
import type { Stage } from './stage.ts'

/** A client at one address, with a credential or without one. */
export interface Speak {
  version: string
  speak: (credential?: string) => Promise<Client>
}

const states = {
  completed: TaskState.TASK_STATE_COMPLETED,
  canceled: TaskState.TASK_STATE_CANCELED,
  failed: TaskState.TASK_STATE_FAILED,
}

function agrees({ version, speak }: Speak): Trial {
  return trial(`reads the card and speaks ${version}`, async () => {
    assert.equal((await speak()).protocolVersion, version)
  })
}

/** What a client does at the door of the platform, where a message calls an operation. */
export function onPlatform(stage: Stage, { version, speak }: Speak): Trial[] {
  const withAgent = async () => {
    const key = await stage.key()
    return { client: await speak(key), char_id: await stage.agent(key) }
  }
  return [
    agrees({ version, speak }),
    trial('gets a key without one, and calls with it', async () => {
      const { api_key } = await ask<{ api_key: string }>(await speak(), 'agent_claim.create')
      const { plan } = await ask<{ plan: unknown }>(await speak(api_key), 'account.get')
      assert.notEqual(plan, undefined)
    }),
    trial('runs a task by a message, and reads it', async () => {
      const { client, char_id } = await withAgent()
      const input = { char_id, task_id: 'echo', input: 'tides' }
      const done = await send(client, asking('tasks.run', input))
      assert.equal(done.status?.state, states.completed)
      assert.equal((outputOf(done) as { output: unknown }).output, 'Echo: tides')
      const read = await client.getTask({ tenant: '', id: done.id, historyLength: 1 })
      assert.equal(read.id, done.id)
    }),
    trial('follows a run by a stream', async () => {
      const { client, char_id } = await withAgent()
      const input = { char_id, task_id: 'echo', input: 'tides' }
      assert.equal(await lastStateOf(client, asking('tasks.run', input)), states.completed)
    }),
    trial('is told a refusal as a task that has failed', async () => {
      const { client } = await withAgent()
      const failed = await send(client, asking('characters.get', { char_id: 'no-such-agent' }))
      assert.equal(failed.status?.state, states.failed)
      const content = failed.status?.message?.parts[0]?.content
      assert.match(JSON.stringify(content), /"character_not_found"/)
    }),
  ]
}

/** What a client does in the Commons. */
export function inCommons({ version, speak }: Speak): Trial[] {
  return [
    agrees({ version, speak }),
    trial('joins, asks and reads what it has asked', async () => {
      const stranger = await speak()
      const { challenge, bits } = await ask<{ challenge: string; bits: number }>(
        stranger,
        'commons.challenge.get',
      )
      const counter = solved(challenge, bits)
      const { token } = await ask<{ token: string }>(stranger, 'commons.identities.create', {
        challenge,
        counter,
      })
      const words = randomUUID()
      const { id } = await ask<{ id: string }>(await speak(token), 'commons.threads.create', {
        board: 'ask',
        title: `How is ${words} told from the others?`,
        body: `I have tried all that is written of ${words}, and know no more than before.`,
      })
      const read = await ask<{ title: string }>(stranger, 'commons.threads.get', { thread_id: id })
      assert.match(read.title, new RegExp(words))
    }),
  ]
}

/** What a client does with a hosted agent, to whom a message is a message. */
export function withAgent(stage: Stage, at: (charId: string) => Speak): Trial[] {
  const opened = async () => {
    const { version, speak } = at(await stage.agent(await stage.key()))
    return { version, client: await speak(await stage.key()) }
  }
  return [
    trial('reads the card and speaks its version', async () => {
      const { version, client } = await opened()
      assert.equal(client.protocolVersion, version)
    }),
    trial('is answered a message, and reads the task', async () => {
      const { client } = await opened()
      const done = await send(client, saying('tides'))
      assert.equal(done.status?.state, states.completed)
      assert.match(wordsOf(done), /Echo: tides/)
      const read = await client.getTask({ tenant: '', id: done.id, historyLength: 1 })
      assert.deepEqual([read.id, read.contextId], [done.id, done.contextId])
    }),
    trial('goes on with a conversation', async () => {
      const { client } = await opened()
      const first = await send(client, saying('tides'))
      const second = await send(client, saying('winds', { contextId: first.contextId }))
      assert.equal(second.contextId, first.contextId)
      assert.notEqual(second.id, first.id)
    }),
    trial('follows an answer by a stream', async () => {
      const { client } = await opened()
      assert.equal(await lastStateOf(client, saying('tides')), states.completed)
    }),
    trial('is told of the end by a push notification', async () => {
      const { client } = await opened()
      const { url, came } = stage.receiver(/completed/i)
      const push = { tenant: '', id: '', taskId: '', url, token: '', authentication: undefined }
      const { id } = await send(client, saying('tides', { push }))
      assert.match(await came, new RegExp(id))
    }),
    trial('is answered without a credential where the agent is open', async () => {
      const { speak } = at(await stage.agent(await stage.key()))
      const done = await send(await speak(), saying('tides'))
      assert.equal(done.status?.state, states.completed)
    }),
  ]
}

async function lastStateOf(
  client: Client,
  request: SendMessageRequest,
): Promise<TaskState | undefined> {
  let state: TaskState | undefined
  for await (const { payload } of client.sendMessageStream(request)) {
    if (payload?.$case === 'task' || payload?.$case === 'statusUpdate') {
      state = payload.value.status?.state
    }
  }
  return state
}

function wordsOf({ artifacts }: Task): string {
  return artifacts
    .flatMap(({ parts }) => parts)
    .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
    .join('\n')
}
