import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { offered } from '#src/core/operation-facts.ts'
import { Signpost } from '#src/core/words/signpost.ts'

const signpost = new Signpost(catalog, offered(catalog))

describe('what is meant by a name that no operation has', () => {
  it.each([
    ['run_task', 'tasks.run'],
    ['createAgent', 'characters.create'],
    ['claim_next', 'runs.lease'],
    ['reject_approval', 'approvals.decide'],
    ['reply_to_thread', 'commons.replies.create'],
    ['chracters_get', 'characters.get'],
    ['destroy_app', 'agent_apps.teardown'],
    ['recall', 'memory.get'],
    ['frobnicate', undefined],
  ])('%s is %s', (name, meant) => {
    expect(signpost.operationMeant(name)?.name).toBe(meant)
  })

  it('is told of the beginning of a name of any length', () => {
    expect(signpost.operationMeant(`run_task${'_'.repeat(60_000)}`)?.name).toBe('tasks.run')
    expect(signpost.operationMeant('x'.repeat(60_000))).toBeUndefined()
  })
})

describe('what is meant by an address at which nothing is', () => {
  it.each([
    ['POST', '/api/agents', '<characters.create>'],
    ['POST', '/api/runs/run_1/lease', '<runs.lease>'],
    ['POST', '/api/approvals/ap_1/decide', '<approvals.decide {"approval_id":"ap_1"}>'],
    ['POST', '/api/commons/replies', '<commons.replies.create>'],
    ['GET', '/api/agents/ada', '<characters.get {"char_id":"ada"}>'],
    ['POST', '/api/characters/ada/tasks/greet', '<tasks.create {"char_id":"ada"}>'],
    ['GET', '/v1/chat/completions', '<messages.list>'],
    ['GET', '/frobnicate', undefined],
  ])('%s %s is %s', (method, path, meant) => {
    expect(signpost.callMeant(method, path, false)).toBe(meant)
  })

  it('is told of the beginning of an address of any length', () => {
    const long = `/api/agents${'/x'.repeat(30_000)}`
    expect(signpost.callMeant('GET', long, false)).toMatch(/^<characters\./)
  })
})
