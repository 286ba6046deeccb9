import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { offered } from '#src/core/operation-facts.ts'
import { namedOperation } from '#src/core/words/named-operation.ts'
import { Signpost, signpostOf } from '#src/core/words/signpost.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'

const signpost = new Signpost(catalog, offered(catalog))

describe('the name of an operation', () => {
  it.each([
    ['tasks.run', 'tasks.run'],
    ['tasks_run', 'tasks.run'],
    [' Tasks-Run ', 'tasks.run'],
    ['agent_apps.deliveries.list', 'agent_apps.deliveries.list'],
    ['POST /api/characters/{char_id}/tasks/{task_id}/run', 'tasks.run'],
    ['post /api/characters/ada/tasks/digest/run?wait=1', 'tasks.run'],
    ['POST https://abode.example/api/characters/ada/tasks/digest/run/', 'tasks.run'],
    ['GET /api/agent-apps', 'agent_apps.list'],
    ['POST /api/runs/lease', 'runs.lease'],
    ['PUT /api/commons/votes', 'commons.votes.cast'],
  ])('%s is that of %s', (sent, name) => {
    expect(namedOperation(catalog, sent)?.name).toBe(name)
  })

  it('is that of each operation in the form of each door', () => {
    for (const op of catalog) {
      const forms = [op.name, op.name.replaceAll('.', '_'), `${op.http.method} ${op.http.path}`]
      for (const form of forms) expect(namedOperation(catalog, form)).toBe(op)
    }
  })

  it.each(['', 'GET ', 'GET /', 'PATCH /api/agent-apps', '__proto__', '…'.repeat(300)])(
    '"%s" is none, and the refusal leads to the search',
    (sent) => {
      expect(namedOperation(catalog, sent)).toBeUndefined()
      expect(unknownOperation('operation', sent, signpost).hint).toContain('<operations.search')
    },
  )
})

describe('what is meant by a name that no operation has', () => {
  it.each([
    ['run_task', 'tasks.run'],
    ['get_status', 'runs.get'],
    ['check_status', 'runs.get'],
    ['getTaskStatus', 'runs.get'],
    ['wait_for_run', 'runs.get'],
    ['get_run', 'runs.get'],
    ['run_agent', 'tasks.run'],
    ['list_tasks', 'tasks.list'],
    ['post_question', 'commons.threads.create'],
    ['sign_up', 'agent_claim.create'],
    ['register', 'agent_claim.create'],
    ['get_key', 'agent_claim.create'],
    ['get_api_key', 'agent_claim.create'],
    ['create_team', 'agent_apps.provision'],
    ['deploy_app', 'agent_apps.provision'],
    ['create_workflow', 'agent_apps.provision'],
    ['approve', 'approvals.decide'],
    ['reject', 'approvals.decide'],
    ['upload_file', 'knowledge.files.add'],
    ['upload_document', 'knowledge.files.add'],
    ['add_document', 'knowledge.texts.add'],
    ['search_docs', 'knowledge.search'],
    ['set_secret', 'characters.secrets.update'],
    ['set_variable', 'characters.secrets.update'],
    ['schedule_task', 'tasks.create'],
    ['set_schedule', 'tasks.update'],
    ['add_trigger', 'tasks.update'],
    ['enable_task', 'tasks.resume'],
    ['get_usage', 'account.get'],
    ['check_quota', 'account.get'],
    ['read_inbox', 'account.inbox'],
    ['ping', 'health.get'],
    ['list_tools', 'operations.search'],
    ['get_schema', 'operations.get'],
    ['buy', 'orders.create'],
    ['notify', 'messages.send'],
    ['talk_to_agent', 'messages.send'],
    ['createAgent', 'characters.create'],
    ['claim_next', 'runs.lease'],
    ['reject_approval', 'approvals.decide'],
    ['reply_to_thread', 'commons.replies.create'],
    ['chracters_get', 'characters.get'],
    ['destroy_app', 'agent_apps.teardown'],
    ['recall', 'memory.get'],
    ['tasks.runn', 'tasks.run'],
    ['create_agent', 'characters.create'],
    ['delete_bot', 'characters.delete'],
    ['store_memory', 'memory.put'],
    ['ask_question', 'commons.consult.ask'],
    ['POST /api/agents', 'characters.create'],
    ['PATCH https://abode.example/api/agents/ada?view=full', 'characters.update'],
    ['How do I tear down my whole app?', 'agent_apps.teardown'],
    ['let my agent be seen by everybody in public', 'characters.visibility.update'],
    ['create_post', 'feed.post'],
    ['make_public', 'characters.visibility.update'],
    ['pay', 'payments.create_checkout_session'],
    ['ask', 'commons.consult.ask'],
    ['chat', 'messages.send'],
    ['who_am_i', 'account.get'],
    ['register', 'agent_claim.create'],
    ['runs_wait', 'runs.get'],
    ['wait_for_run', 'runs.get'],
    ['get_result', 'runs.get'],
    ['runs.decide', 'approvals.decide'],
    ['vote', 'commons.votes.cast'],
    ['accept_reply', 'commons.threads.accept'],
    ['schedule_task', 'tasks.create'],
    ['sign_up', 'agent_claim.create'],
    ['stop_run', 'runs.cancel'],
    ['end_run', 'runs.cancel'],
    ['delte_run', 'runs.delete'],
    ['kill_agent', 'characters.delete'],
    ['upload_avatar', 'characters.photos.add'],
    ['frobnicate', undefined],
    ['__proto__', undefined],
    ['constructor', undefined],
    ['GET /', undefined],
  ])('%s is %s', (name, meant) => {
    expect(signpost.operationMeant(name)?.name).toBe(meant)
  })

  it.each(['create_post', 'chat', 'execute', 'run', 'messages', 'webhooks', 'get_bot'])(
    '%s ends nothing, as the name says nothing of it',
    (name) => {
      expect(signpost.operationMeant(name)?.http.method).not.toBe('DELETE')
    },
  )

  const ends = /\.(?:cancel|delete|fail|remove|revoke|teardown)$/
  const spelled = catalog.filter(({ name }) => ends.test(name))
  // Each differs from the word in one letter or two, and is another word.
  it.each(['wait', 'decide', 'mail', 'select', 'invoke', 'handle', 'prove', 'file'])(
    'which ends with "%s", is nothing that ends something',
    (word) => {
      for (const { name } of spelled) {
        const sent = name.replace(ends, `.${word}`)
        expect(signpost.operationMeant(sent)?.name, sent).not.toMatch(ends)
      }
    },
  )

  it('is named in the refusal, with what it does and where to look if it is another', () => {
    expect(unknownOperation('operation', 'run_task', signpost).toObject('r')).toMatchObject({
      code: 'operation_not_found',
      suggestion: 'tasks.run',
      hint: expect.stringMatching(/tasks\.run.+Run.+operations\.search/),
    })
  })

  it('is known once for a catalog', () => {
    expect(signpostOf(catalog)).toBe(signpostOf(catalog))
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
    ['POST', '/api/characters/ada/tasks/greet/lease', '<runs.lease>'],
    ['POST', '/api/register', '<agent_claim.create>'],
    ['POST', '/api/runs', '<tasks.run>'],
    ['GET', '/api/characters/ada/memory/search', '<memory.search {"char_id":"ada"}>'],
    ['POST', '/api/approvals/ap_1/decide', '<approvals.decide {"approval_id":"ap_1"}>'],
    ['POST', '/api/commons/replies', '<commons.replies.create>'],
    ['GET', '/api/agents/ada', '<characters.get {"char_id":"ada"}>'],
    ['POST', '/api/characters/ada/tasks/greet', '<tasks.create {"char_id":"ada"}>'],
    ['GET', '/v1/chat/completions', '<messages.list>'],
    ['POST', '/api/provision', '<agent_apps.provision>'],
    ['POST', '/api/validate', '<agent_apps.validate>'],
    ['POST', '/api/plan', '<agent_apps.plan>'],
    ['POST', '/api/complete', '<runs.complete>'],
    ['POST', '/api/runs/run_1/wait', '<runs.get {"run_id":"run_1"}>'],
    ['GET', '/api/runs/run_1/output', '<runs.get {"run_id":"run_1"}>'],
    ['POST', '/api/commons/threads/thr_1/vote', '<commons.votes.cast>'],
    ['PUT', '/api/commons/replies/rep_1/votes', '<commons.votes.cast>'],
    ['POST', '/api/commons/replies/rep_1/accept', '<commons.threads.accept>'],
    ['GET', '/api/characters/ada/memory', '<memory.list>'],
    ['GET', '/api/agents/ada/memories', '<memory.list>'],
    ['POST', '/api/characters/ada/memory', '<memory.put>'],
    ['POST', '/api/agents/ada/avatar', '<characters.photos.add {"char_id":"ada"}>'],
    ['GET', '/api/commons', '<commons.threads.list>'],
    ['GET', '/commons/feed', '<commons.threads.list>'],
    ['POST', '/foo', undefined],
    ['POST', '/api/', undefined],
    ['GET', '/frobnicate', undefined],
  ])('%s %s is %s', (method, path, meant) => {
    expect(signpost.callMeant(method, path, false)).toBe(meant)
  })

  it('is nothing that ends something, unless a word or the method says so', () => {
    for (const path of ['runs/run_1/wait', 'runs/run_1/mail', 'agent-apps/a/select']) {
      const meant = signpost.callMeant('POST', `/api/${path}`, false)
      expect(meant, path).not.toMatch(/fail|delete|teardown/)
    }
    expect(signpost.callMeant('POST', '/api/runs/run_1/abort', false)).toMatch(/runs\.cancel/)
  })

  it('is told of the beginning of an address of any length', () => {
    const long = `/api/agents${'/x'.repeat(30_000)}`
    expect(signpost.callMeant('GET', long, false)).toMatch(/^<characters\./)
  })
})
