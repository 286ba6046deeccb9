import { pageOperations } from '#src/catalog/pages.ts'
import { policyOf } from '#src/accounts/policy.ts'
import { isLastKey } from '#src/accounts/last-key.ts'
import { Refusal, type Code } from '#src/core/errors.ts'
import type { Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import { agentsOf, namedAtMost } from '#src/accounts/people/holdings.ts'
import { answered, isSignedOut, told, type HeldAccount, type Terms } from '../ask.ts'
import { comeBack, typedIn } from '../console/come-back.ts'
import { framed } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import { problemsOf, sayingOf, waitOf, type Problems } from '../fields.ts'
import { onceIn } from '../once.ts'
import { nameIn, nameOf, nameProblems } from './name.ts'
import { lookingAtAccount } from './look-at.ts'
import { policyIn } from './policy.ts'
import { inviteLinkView } from './members.ts'
import { roleIn } from '../members/roles.ts'
import { newKeyView, revokingView, type KeyForm } from './keys.ts'
import { notThere, settingsView, type Settings } from './settings-views.ts'

/** The page of the person who is signed in: their keys, sessions and accounts. */
export function settingsScreen(terms: Terms): Screen {
  const { paths } = terms
  const lookingAt = (query: URLSearchParams, visitor: Visitor) =>
    lookingAtAccount(terms, query, visitor)
  return {
    async show(query, visitor) {
      const looking = await lookingAt(query, visitor)
      if (!looking) {
        const account = query.get('account') ?? undefined
        return { goTo: paths.signInFor(paths.settings(account)) }
      }
      if (!('me' in looking)) return looking
      const revoked = query.get('revoke')
      const view =
        revoked === null
          ? settingsView(await settingsNow(terms, looking, query))
          : await revoking(terms, looking, revoked)
      return framed(looking, { ...view, place: 'settings', isForAll: true })
    },
    async submit(form, visitor) {
      const typed = typedIn(form)
      const account = (typed ?? form).get('account') ?? undefined
      const looking = await lookingAt(typed ?? form, visitor)
      const goOn = (from: Visitor) => comeBack(terms, paths.settings(account), form, from)
      if (!looking) return goOn(visitor)
      if (!('me' in looking)) return looking
      const shown = (view: View) => framed(looking, { ...view, place: 'settings', isForAll: true })
      if (typed) return shown(settingsView(await withTyped(terms, looking, typed)))
      const change = changes.get(form.get('action') ?? '')
      if (!change) return { goTo: paths.settings(looking.account.id) }
      try {
        const answer = await change(terms, looking, form)
        return 'main' in answer ? shown(answer) : answer
      } catch (cause) {
        if (!(cause instanceof Refusal && isSignedOut(cause))) throw cause
        return goOn({ ...visitor, session: undefined })
      }
    },
  }
}

/** The page with what a person had typed into one of its forms before their session ended. */
async function withTyped(terms: Terms, looking: Looking, typed: URLSearchParams) {
  const settings = await settingsNow(terms, looking, new URLSearchParams())
  const action = typed.get('action')
  if (action === 'create_key') return { ...settings, form: keyFormIn(typed) }
  if (action === 'set_name') return { ...settings, nameForm: nameIn(typed) }
  if (action === 'invite') return { ...settings, inviteForm: inviteFormIn(typed) }
  return action === 'set_policy' ? { ...settings, policyForm: policyIn(typed).sent } : settings
}

function keyFormIn(form: URLSearchParams) {
  return { name: form.get('name') ?? '', scope: form.get('scope')?.trim() ?? '' }
}

function inviteFormIn(form: URLSearchParams) {
  return { role: roleIn(form), email: form.get('email')?.trim() ?? '' }
}

async function settingsNow(
  terms: Terms,
  { me, account, visitor, at }: Looking,
  query: URLSearchParams,
): Promise<Settings> {
  const as = { visitor, accountId: account.id }
  const page = (name: string) => {
    const cursor = query.get(name)
    return { limit: namedAtMost, ...(cursor !== null && { cursor }) }
  }
  const [members, keys, connections, sessions, agents, kept] = await Promise.all([
    answered(terms, pageOperations.members.list, {}, as),
    answered(terms, pageOperations.keys.list, page('keys'), as),
    answered(terms, pageOperations.connections.list, page('connections'), as),
    answered(terms, pageOperations.sessions.list, page('sessions'), as),
    agentsOf(terms.store, account.id),
    terms.store.accounts.get(account.id),
  ])
  return {
    paths: terms.paths,
    me,
    account,
    members,
    keys,
    connections,
    sessions,
    agents,
    at,
    policy: policyOf(kept),
    nameForm: nameOf(kept),
    done: query.get('done') ?? undefined,
  }
}

async function revoking(
  { store, paths }: Terms,
  { account }: Looking,
  keyId: string,
): Promise<View> {
  const key = await store.api_keys.get(keyId)
  const back = paths.settings(account.id)
  if (key?.account_id !== account.id) return notThere(paths, 'The account has no such key.', back)
  if (key.revoked_at !== null) return notThere(paths, 'This key was revoked already.', back)
  return revokingView(paths, account.id, key, await isLastKey(store, key))
}

type Change = (terms: Terms, looking: Looking, form: URLSearchParams) => Promise<View | Leave>

const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['create_key', createKey],
  ['revoke_key', revokeKey],
  ['end_session', endSession],
  ['end_connection', endConnection],
  ['set_name', setName],
  ['set_policy', setPolicy],
  ['invite', invite],
  ['set_role', setRole],
  ['remove_member', removeMember],
])

async function createKey(terms: Terms, looking: Looking, form: URLSearchParams) {
  const { account, visitor } = looking
  const { name, scope } = keyFormIn(form)
  const input = { name, ...(scope !== '' && { scope_char_id: scope }) }
  // Sent again, by a double click or a reload, the form creates no second key.
  const idempotencyKey = onceIn(form)
  const as = { visitor, accountId: account.id, idempotencyKey }
  const { refusal, ...answer } = await told(terms, pageOperations.keys.create, input, as)
  if ('value' in answer) return newKeyView(terms.paths, account.id, answer.value)
  if (!refusal) throw new TypeError('neither answered nor refused')
  if (isSignedOut(refusal)) throw refusal
  const problems = keyProblems(refusal)
  const again: KeyForm = { name, scope, problems }
  const settings = await settingsNow(terms, looking, new URLSearchParams())
  const { '': ofAll, ...ofFields } = problems
  const status = ofAll === undefined && Object.keys(ofFields).length > 0 ? 422 : refusal.status
  return { ...settingsView({ ...settings, form: again }, status), ...waitOf(refusal) }
}

const noSuchAgent = 'The account has no such agent.'

function keyProblems(refusal: Refusal): NonNullable<KeyForm['problems']> {
  const { code, kind } = refusal
  if (code === 'character_not_found' || code === 'forbidden') {
    return { scope: noSuchAgent }
  }
  if (kind !== 'invalid') return { '': sayingOf(refusal) }
  const { scope_char_id: scope, ...problems } = problemsOf(refusal, {
    name: 'Enter a name of up to 200 visible characters.',
    scope_char_id: noSuchAgent,
  })
  return { ...problems, ...(scope !== undefined && { scope }) }
}

async function revokeKey(terms: Terms, { account, visitor }: Looking, form: URLSearchParams) {
  const input = { key_id: form.get('key_id') ?? '' }
  const as = { visitor, accountId: account.id }
  await answered(terms, pageOperations.keys.revoke, input, as)
  return { goTo: terms.paths.settings(account.id, { done: 'key_revoked' }) }
}

async function endSession(terms: Terms, { account, visitor }: Looking, form: URLSearchParams) {
  const input = { id: form.get('session_id') ?? '' }
  const ended = await told(terms, pageOperations.sessions.revoke, input, { visitor })
  const { refusal } = ended
  if (refusal && refusal.code !== 'session_not_found') throw refusal
  const done = refusal ? 'session_gone' : 'session_ended'
  const goTo = terms.paths.settings(account.id, { done })
  return refusal ? { goTo } : { goTo, session: ended.session }
}

async function endConnection(terms: Terms, { account, visitor }: Looking, form: URLSearchParams) {
  const input = { id: form.get('connection_id') ?? '' }
  const as = { visitor, accountId: account.id }
  const { refusal } = await told(terms, pageOperations.connections.revoke, input, as)
  if (refusal && refusal.code !== 'connection_not_found') throw refusal
  return { goTo: terms.paths.settings(account.id, { done: 'connection_ended' }) }
}

const noAmount = 'Enter a whole number of cents of up to 1,000,000,000, or nothing.'

async function setPolicy(terms: Terms, looking: Looking, form: URLSearchParams) {
  const { account, visitor } = looking
  const { sent, policy } = policyIn(form)
  const as = { visitor, accountId: account.id }
  const answer = policy && (await told(terms, pageOperations.account.update, policy, as))
  const refusal = answer?.refusal
  if (answer && !refusal) {
    return { goTo: terms.paths.settings(account.id, { done: 'policy_set' }) }
  }
  if (refusal && isSignedOut(refusal)) throw refusal
  const isAmount = refusal === undefined || refusal.kind === 'invalid'
  const problems: Problems = isAmount ? { spend: noAmount } : { '': sayingOf(refusal) }
  const settings = await settingsNow(terms, looking, new URLSearchParams())
  const shown = settingsView(
    { ...settings, policyForm: { ...sent, problems } },
    refusal?.status ?? 422,
  )
  return refusal ? { ...shown, ...waitOf(refusal) } : shown
}

async function setName(terms: Terms, looking: Looking, form: URLSearchParams) {
  const { account, visitor } = looking
  const sent = nameIn(form)
  const input = { name: sent.name === '' ? null : sent.name, keep_prompts: sent.keepsPrompts }
  const as = { visitor, accountId: account.id }
  const { refusal } = await told(terms, pageOperations.account.update, input, as)
  if (!refusal) return { goTo: terms.paths.settings(account.id, { done: 'name_set' }) }
  if (isSignedOut(refusal)) throw refusal
  const settings = await settingsNow(terms, looking, new URLSearchParams())
  const nameForm = { ...sent, problems: nameProblems(refusal) }
  return { ...settingsView({ ...settings, nameForm }, refusal.status), ...waitOf(refusal) }
}

async function invite(terms: Terms, looking: Looking, form: URLSearchParams) {
  const { account, visitor } = looking
  const { role, email } = inviteFormIn(form)
  const as = { visitor, accountId: account.id, idempotencyKey: onceIn(form) }
  const input = { role, ...(email !== '' && { email }) }
  const { refusal, ...answer } = await told(terms, pageOperations.members.invite, input, as)
  if ('value' in answer) return inviteLinkView(terms.paths, account.id, answer.value)
  if (!refusal) throw new TypeError('neither answered nor refused')
  if (isSignedOut(refusal)) throw refusal
  const settings = await settingsNow(terms, looking, new URLSearchParams())
  const inviteForm = { role, email, problems: inviteProblems(refusal) }
  return { ...settingsView({ ...settings, inviteForm }, refusal.status), ...waitOf(refusal) }
}

function inviteProblems(refusal: Refusal): Problems {
  if (refusal.code === 'already_member') return { email: refusal.message }
  if (refusal.kind !== 'invalid') return { '': sayingOf(refusal) }
  return problemsOf(refusal, { email: 'Enter an e-mail address, such as grace@example.org.' })
}

async function setRole(terms: Terms, { account, visitor }: Looking, form: URLSearchParams) {
  const input = { member_id: form.get('member_id') ?? '', role: roleIn(form) }
  const as = { visitor, accountId: account.id }
  const { refusal } = await told(terms, pageOperations.members.update, input, as)
  return membersChanged(terms, account, refusal, 'role_set')
}

async function removeMember(terms: Terms, { account, visitor }: Looking, form: URLSearchParams) {
  const input = { member_id: form.get('member_id') ?? '' }
  const as = { visitor, accountId: account.id }
  const { refusal } = await told(terms, pageOperations.members.remove, input, as)
  return membersChanged(terms, account, refusal, 'member_removed')
}

/** Refusals that the page says in its own words. */
const said: readonly Code[] = ['last_owner', 'own_account', 'member_not_found']

function membersChanged(
  { paths }: Terms,
  { id }: HeldAccount,
  refusal: Refusal | undefined,
  done: string,
): Leave {
  if (refusal && !said.includes(refusal.code)) throw refusal
  return { goTo: paths.settings(id, { done: refusal?.code ?? done }) }
}
