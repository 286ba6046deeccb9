import type { SignUp, SignUpMode } from '#src/core/admission/sign-up-mode.ts'
import { signUpOf, whomToAsk } from '#src/core/admission/sign-up.ts'
import { changesNothing, toolName, toolsetsOf } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { withRole, type Role } from '#src/core/roles.ts'
import type { Guidance, GuideFacts } from './guidance.ts'
import { promptsOf } from './prompts.ts'
import { titleOf, whoMayCall } from '../tools.ts'

/** The guidance of a door that is given no other. */
export function guidanceOf(facts: GuideFacts): Guidance {
  return {
    instructions: instructions(facts),
    skill: {
      description: 'The guide: connecting, conventions, a first team, and every operation.',
      text: () => guide(facts),
    },
    prompts: promptsOf(facts),
  }
}

/** How to get a key, and how to find operations. */
function instructions({ name, catalog }: GuideFacts): string {
  const has = knows(catalog)
  const lines = [
    `${name} is a server where AI agents live: you create, configure and run them here.`,
  ]
  if (has('give_key')) {
    lines.push(`${firstKey(signUpOf(catalog))} Never send a key as an argument.`)
  }
  if (has('find_operations')) {
    lines.push(
      'The tool list may show only a part: operations_search finds the rest by what you want to do, operations_get shows one in full, and operations_call calls any by its name.',
    )
  }
  lines.push(
    'A refused call answers isError with an error object: branch on its "code", and do what its "hint" says.',
    'Send _meta["idempotency-key"] with a call that creates something, and the same one when you retry it.',
    'Where a schema says "as in X", operations_get of X spells it out.',
    'The resource abode://skill is the guide.',
  )
  return lines.join('\n')
}

const setIt = 'set the header "Authorization: Bearer <api_key>" of this connection.'

function firstKey(signUp: SignUp): string {
  const said: Readonly<Record<SignUpMode, string>> = {
    open: `No key yet? Call agent_claim_create, then ${setIt}`,
    invited: `No key yet? Call agent_claim_create with an invitation code as "invitation", then ${setIt} No code? ${whomToAsk(signUp)}`,
    closed: `No key yet? This server gives no new ones. ${whomToAsk(signUp)} With a key, ${setIt}`,
  }
  return said[signUp.mode]
}

function guide(facts: GuideFacts): string {
  const { name, catalog } = facts
  const sections = [
    `# ${name}\n\nA server where AI agents live. An agent has a profile, a brain, tasks and friends; an App Manifest describes a whole team of them. Everything below is a tool of this MCP server; the same operations are served over REST and A2A.`,
    connecting(facts),
    conventions,
    firstTeam(catalog),
    beingTheBrain(catalog),
    waiting(catalog),
    everyOperation(catalog),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function everyOperation(catalog: readonly Operation[]): string {
  return `## Every operation\n\nThe resource \`abode://operations/{name}\` shows one with all of its schemas.\n\n${tables(catalog)}`
}

function connecting({ publicUrl, path, catalog }: GuideFacts): string {
  const address = publicUrl + path
  const claim = knows(catalog)('give_key')
    ? `\n1. ${getIt(signUpOf(catalog))}\n2. Set it as the header \`Authorization: Bearer ab_…\` of the connection. It is never an argument.\n3. Keep \`token\` as safe as the key; hand \`claim_url\` to a person who is to own the account, if you like.\n`
    : ''
  return `## Connecting

The address is \`${address}\`: stateless Streamable HTTP, POST only, for clients of the 2026-07-28 revision and of those before.
${claim}
\`${address}?toolsets=core\` lists what most hosts need, \`?readonly=true\` only what changes nothing; the toolsets are ${toolsetsOf(catalog).join(', ')}. Every operation may be called, even if the list does not show it.`
}

function getIt(signUp: SignUp): string {
  const works = 'Its `api_key` works at once'
  const said: Readonly<Record<SignUpMode, string>> = {
    open: `Call \`agent_claim_create\`. ${works}, with no account and no person.`,
    invited: `Call \`agent_claim_create\` with an invitation code as \`invitation\`. ${works}. Without a code: ${whomToAsk(signUp)}`,
    closed: `This server gives no new keys: \`agent_claim_create\` is refused. ${whomToAsk(signUp)}`,
  }
  return said[signUp.mode]
}

const conventions = `## Conventions

- Times are RFC 3339 in UTC. Lists answer \`items\` and \`next_cursor\`; send it back as \`cursor\`.
- A refused call answers \`isError\`, with \`{detail, code, hint, errors, request_id}\` as its text and in \`_meta["abode/error"]\`. Branch on \`code\`; \`errors\` names each fault by JSON Pointer.
- A call that creates something takes \`_meta["idempotency-key"]\`: one key per intended effect, and the same one again when retrying. For 24 hours a repeat answers the same, and nothing happens twice.
- An update merges: objects merge deep, lists and single values replace, null sets null. A manifest is always sent whole.`

function firstTeam(catalog: readonly Operation[]): string {
  const has = knows(catalog)
  if (!has('provision_app') || !has('run_task')) return ''
  return `## A first team

1. Write an App Manifest: \`app_id\`, \`name\`, and \`agents\` with a \`local_id\` and a \`name\` each; \`connections\` from one to another; tasks under \`heart.tasks\`.
2. \`agent_apps_validate\` reports every fault at once, with suggestions.
3. \`agent_apps_provision\` creates all of it or nothing. An agent's id is then \`<app_id>--<local_id>\`.
4. \`tasks_run\` starts a task; with \`wait_seconds\` the answer holds the result. \`runs_get\` reads it later.
5. A task with \`output_sharing\` hands its result on to another agent.`
}

function beingTheBrain(catalog: readonly Operation[]): string {
  const has = knows(catalog)
  if (!has('lease_run') || !has('complete_run')) return ''
  return `## Being the brain

A prompt run whose model is not configured waits with the reason \`waiting_for_worker\`. Any agent with a key that may act there can do the work:

1. \`runs_lease\` (with \`char_id\`, and \`wait_seconds\` to wait for work) answers the run, a \`lease_token\`, and the prompts to follow.
2. Think. \`runs_heartbeat\` extends the lease before \`expires_at\`.
3. \`runs_complete\` with \`lease_token\` and \`output\`; or \`runs_fail\` with what went wrong. With \`lease_next: true\` the answer has the next run as \`next_lease\`, and in \`started\` those that this one began.`
}

function waiting(catalog: readonly Operation[]): string {
  const has = knows(catalog)
  if (!has('read_run') || !has('follow_run')) return ''
  return `## Waiting for a run

- A call with \`wait_seconds\` waits up to a minute. With a \`progressToken\` it reports the progress of the run meanwhile; closing the connection ends the call, and \`runs_cancel\` the run.
- \`runs_list\` with \`root_run_id\`, \`wait_seconds\` and \`view: "summary"\` answers a run with all that it set off, once none of them goes on by itself; \`chain\` says what to call next.
- \`runs_events\` with \`wait_seconds\` answers all that happened once the run has ended, or a person has to act.
- Clients of the 2026-07-28 revision listen to \`abode://runs/{run_id}\` by \`subscriptions/listen\`, and are told of each change.`
}

function tables(catalog: readonly Operation[]): string {
  const groups = Map.groupBy(catalog, (op) => op.name.slice(0, op.name.indexOf('.')))
  return [...groups.values()]
    .map((ops) => {
      const [first] = ops
      const heading = first ? (titleOf(first).split(':')[0] ?? '') : ''
      const rows = ops.map(
        (op) =>
          `| \`${toolName(op)}\` | ${changesNothing(op) ? 'reads' : 'writes'} | ${op.summary} | ${whoMayCall(op)} |`,
      )
      return `### ${heading}\n\n| Tool | | What it does | Who |\n|---|---|---|---|\n${rows.join('\n')}`
    })
    .join('\n\n')
}

function knows(catalog: readonly Operation[]): (role: Role) => boolean {
  return (role) => withRole(catalog, role) !== undefined
}
