import { isOwnerOf } from '#src/core/authorization/account-roles.ts'
import { usualScopes, type OauthScope } from '#src/core/authorization/scopes.ts'
import { Refusal } from '#src/core/errors.ts'
import { html } from '#src/core/html/html.ts'
import { timestamp } from '#src/core/time.ts'
import type { Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import { agentsOf } from '#src/accounts/people/holdings.ts'
import type { Authorization, ConsentRequest } from '#src/core/authorization/authorization.ts'
import { accountOf, whoIs, type Me, type Terms } from '../ask.ts'
import { consentView, endedView, newAccount, placesOf, whoAsks } from './consent-views.ts'
import { entered, entryStatus, wayIn, waysTo, type Entry } from '../entry/entry.ts'
import { entryForm } from '../entry/form.ts'
import type { Problems } from '../fields.ts'

/** What the page of a request depends on. */
export interface ConsentTerms extends Terms {
  authorization: () => Promise<Authorization>
}

/** What a form has chosen. */
interface Chosen {
  /** The account; null for the person's own. */
  account: string | null
  agent: string
  scopes: readonly OauthScope[]
  problems: Problems
}

/** The page on which a person signs in or registers, and decides what a program may do. */
export function consentScreen(terms: ConsentTerms, id: string): Screen {
  const here = terms.paths.consent(id)
  return {
    async show(query, visitor) {
      const request = await (await terms.authorization()).request(id)
      if (!request) return endedView()
      const account = query.get('account')
      const me = await personFor(terms, visitor, account)
      if (!me) return entryView(terms, request, firstEntry(query))
      const agreed = account === null ? await agreedBefore(terms, request, me) : undefined
      if (agreed) return allowed(terms, request, { me, visitor, isSilent: true, ...agreed })
      // What decides, pays or rules is the person's to tick.
      const scopes = request.scopes.filter((scope) => usualScopes.includes(scope))
      const chosen = { account, agent: '', scopes, problems: {} }
      return asking(terms, request, me, chosen)
    },
    async submit(form, visitor) {
      const request = await (await terms.authorization()).request(id)
      if (!request) return endedView()
      const action = form.get('action')
      const way = wayIn(action)
      if (way) {
        const answer = await entered(terms, way, { form, next: here }, visitor)
        if ('way' in answer) return entryView(terms, request, answer)
        return { goTo: here, session: answer.session }
      }
      const account = form.get('account')
      const me = await personFor(terms, visitor, account)
      if (!me) return entryView(terms, request, signedOut)
      if (action === 'deny') return { goTo: await (await terms.authorization()).deny(request) }
      return action === 'allow' ? decided(terms, request, me, { form, visitor }) : { goTo: here }
    },
  }
}

const signedOut: Entry = {
  way: 'sign_in',
  problems: { '': 'You are not signed in any more. Nothing was done: sign in, and decide again.' },
}

function firstEntry(query: URLSearchParams): Entry {
  return { way: query.has('register') ? 'register' : 'sign_in' }
}

/** The person, acting for an account that they are a member of; for another one as if none were named. */
async function personFor(
  terms: Terms,
  visitor: Visitor,
  account: string | null,
): Promise<Me | undefined> {
  if (account === null || account === newAccount) return whoIs(terms, visitor)
  try {
    return await whoIs(terms, visitor, { accountId: account })
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'forbidden') return whoIs(terms, visitor)
    throw cause
  }
}

function entryView(terms: Terms, request: ConsentRequest, entry: Entry): View {
  const { signUp, paths } = terms
  const ways = waysTo(terms, paths.consent(request.id))
  const otherWay = entry.way === 'register' ? '?' : '?register'
  const form = entryForm(entry, { otherWay, signUp, isPart: true, ways })
  const main = html`${whoAsks(request)}${form}`
  // Who has agreed before is sent on at once.
  const leadsTo = placesOf(request)
  return { title: `Connect ${request.program.name}`, main, leadsTo, ...entryStatus(entry, ways) }
}

async function asking(
  terms: Terms,
  request: ConsentRequest,
  me: Me,
  { account: named, agent, scopes, problems }: Chosen,
  status = 200,
): Promise<View> {
  const mayOpen = terms.signUp.mode === 'open'
  const opens = mayOpen && named === newAccount
  const account = opens
    ? { id: newAccount, name: null, own: false, role: 'owner' as const }
    : await accountOf(terms, me)
  const agents = await agentsOf(terms.store, account.id)
  const chosen = { scopes, agent }
  return consentView(
    { paths: terms.paths, request, me, account, agents, mayOpen, chosen, problems },
    status,
  )
}

/** What was decided in the form, if it can be done; else the form again. */
async function decided(
  terms: ConsentTerms,
  request: ConsentRequest,
  me: Me,
  { form, visitor }: { form: URLSearchParams; visitor: Visitor },
): Promise<View | Leave> {
  const ticked = form.getAll('allowed')
  const scopes = request.scopes.filter((scope) => ticked.includes(scope))
  const agent = form.get('scope')?.trim() ?? ''
  const account = form.get('account')
  const chosen = { account, agent, scopes }
  if (scopes.length === 0) {
    const problems = { '': 'Choose what it may do, or refuse.' }
    return asking(terms, request, me, { ...chosen, problems }, 422)
  }
  const opens = account === newAccount && terms.signUp.mode === 'open'
  // An account that was taken away meanwhile is not replaced by another.
  const accountId = opens ? null : (account ?? me.account_id)
  try {
    const decision = { accountId, charId: agent || null, scopes, isSilent: false }
    return await allowed(terms, request, { me, visitor, ...decision })
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.kind === 'unavailable') throw cause
    return asking(terms, request, me, { ...chosen, problems: { '': cause.message } }, cause.status)
  }
}

interface Decided {
  me: Me
  visitor: Visitor
  accountId: string | null
  charId: string | null
  scopes: readonly OauthScope[]
  isSilent: boolean
}

async function allowed(
  { authorization }: ConsentTerms,
  request: ConsentRequest,
  { me, visitor, ...decision }: Decided,
): Promise<Leave> {
  const { person, session } = me
  const who = { personId: person.id, sessionId: session.id, address: visitor.address }
  return { goTo: await (await authorization()).allow(request, { ...who, ...decision }) }
}

/**
 * What the person has agreed to before, if that covers all that is asked, and no other program can be in the place of
 * this one.
 */
async function agreedBefore(
  { store, clock }: Terms,
  { program, scopes, isBound, asksAgain }: ConsentRequest,
  { person }: Me,
): Promise<Pick<Decided, 'accountId' | 'charId' | 'scopes'> | undefined> {
  if (!isBound || asksAgain) return undefined
  const expires_at = { $gt: timestamp(clock.now()) }
  const theirs = { person_id: person.id, client_id: program.client_id, expires_at }
  const [known, other] = await store.connections.find(theirs, { sort: { id: -1 }, limit: 2 })
  // Of several accounts the person chooses.
  if (!known || other || !scopes.every((scope) => known.scopes.includes(scope))) return undefined
  // Nor has it another name now, or leads elsewhere, than what they have seen.
  if (known.name !== program.name || known.redirect_host !== program.redirect_host) return undefined
  if (!(await isOwnerOf(store, known.account_id, person.id))) return undefined
  return { accountId: known.account_id, charId: known.char_id, scopes: known.scopes }
}
