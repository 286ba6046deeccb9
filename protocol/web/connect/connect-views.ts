import type { Offer } from '#src/agents/connections/consent.ts'
import type { StoredConnection } from '#src/agents/connections/connection.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { OAuthFailure } from '#src/ports/oauth.ts'
import { name } from '#src/views/parts.ts'
import { field, type Problems } from '../fields.ts'
import { timeOf } from '../holdings.ts'
import type { Paths } from '../paths.ts'
import { ownNav } from '../entry/sign-out.ts'

/** A connection, for the person who looks at it. */
export interface ShownConnection {
  paths: Paths
  connection: StoredConnection
  /** The name of its agent. */
  agent: string
  /** Where others send a person back. */
  redirect: string
}

/** The form of a connection: what was typed into it, and what is wrong with it. */
export interface ConnectForm {
  typed?: URLSearchParams
  problem?: string
}

const title = 'Connect an agent to a server'

/** The page of a connection: who asks for what, and where it is given. */
export function connectView(
  shown: ShownConnection,
  offer: Offer,
  { typed, problem }: ConnectForm = {},
): View {
  const { paths, connection } = shown
  const { resource, server, way } = offer
  const problems: Problems = problem === undefined ? {} : { client_id: problem }
  const form: ClientForm = { typed, problems }
  const isConnected = connection.state === 'connected'
  const main = html`${standing(connection)}
    <dl class="card">
      ${aboutServer(shown, resource.name)}
      <dt>Consent is given at</dt>
      <dd><code>${hostOf(server.issuer)}</code></dd>
      <dt>It asks for</dt>
      <dd>${scopesOf(connection, offer)}</dd>
    </dl>
    ${otherSite(resource.resource, server.issuer)}
    <p>
      The agent may then call the server in your name, by any of its tasks. What the server gives
      for that is kept sealed, and is sent to <code>${connection.origin}</code> alone.
    </p>
    <form method="post" novalidate class="card" aria-label="Connect">
      ${way === 'given' || way === 'kept' ? clientFields(way, shown, form) : ownClient(shown, form)}
      <button class="main" name="action" value="connect">
        ${isConnected ? 'Consent again' : 'Connect'}
      </button>
    </form>
    ${isConnected && disconnectForm()}`
  return { status: problem === undefined ? 200 : 422, title, main, nav: ownNav(paths) }
}

/** The same where the other side cannot be used. */
export function noOfferView(shown: ShownConnection, { message }: OAuthFailure): View {
  const { paths, connection } = shown
  const main = html`<p class="problem" role="alert">${message}</p>
    ${standing(connection)}
    <dl class="card">
      ${aboutServer(shown, connection.server_name)}
      <dt>Consent is given at</dt>
      <dd><code>${hostOf(connection.issuer)}</code></dd>
    </dl>
    <p><a href="${paths.connect(connection.id)}">Try again</a></p>
    ${connection.state === 'connected' && disconnectForm()}`
  return { status: 502, title, main, nav: ownNav(paths) }
}

/** Leads on to the other side: by a link, since a browser asks of a form where all of its redirects lead. */
export function goOnView({ paths, connection }: ShownConnection, address: string): View {
  const main = html`<p>
      You are asked to consent at <code>${hostOf(address)}</code>, and come back here afterwards.
    </p>
    <p class="actions"><a class="button main" href="${address}">Go on to ${hostOf(address)}</a></p>
    <p><a href="${paths.connect(connection.id)}">Go back</a></p>`
  return { status: 200, title: 'Go on to consent', main, nav: ownNav(paths) }
}

/** After a connection was ended. */
export function removedView({ paths, connection }: ShownConnection): View {
  const main = html`<p role="status">
      The connection with <code>${connection.origin}</code> has ended, and what the server gave for
      it is deleted here.
    </p>
    <p><a href="${paths.settings()}">Go to your settings</a></p>`
  return { status: 200, title: 'Disconnected', main, nav: ownNav(paths) }
}

/** After a person returned without a consent. @param connection undefined if it is not known which */
export function notConnectedView(
  paths: Paths,
  why: string,
  status: number,
  connection?: StoredConnection,
): View {
  const [href, text] = connection
    ? [paths.connect(connection.id), 'Try again']
    : [paths.settings(), 'Go to your settings']
  const main = html`<p class="problem" role="alert">${why}</p>
    <p><a href="${href}">${text}</a></p>`
  return { status, title: 'Nothing was connected', main, nav: ownNav(paths) }
}

function standing({ state, reason, connected_at }: StoredConnection): Html {
  if (state === 'connected' && connected_at !== null) {
    const more = reason === 'more_scopes' && ' It asks for more than was granted.'
    return html`<p role="status">Connected since ${timeOf(connected_at)}.${more}</p>`
  }
  return html`<p>
    ${reason === 'asked' ? 'A server that the agent calls asks for your consent.' : again}
  </p>`
}

const again = 'Your consent has ended. The agent cannot call the server until you consent again.'

function aboutServer({ connection, agent }: ShownConnection, called: string | null): Html {
  const { char_id, place } = connection
  return html`<dt>Agent</dt>
    <dd><bdi>${agent}</bdi><br /><code class="soft">${char_id}</code></dd>
    <dt>Server</dt>
    <dd><code>${place}</code></dd>
    ${
      called !== null &&
      html`<dt>It calls itself</dt>
        <dd>${name(called, 200)}<br /><span class="soft">which no one has verified</span></dd>`
    }`
}

function scopesOf({ scopes, reason }: StoredConnection, { resource }: Offer): Html {
  const asked = reason === 'more_scopes' ? scopes : resource.scopes
  if (asked.length === 0) return html`What it gives by itself`
  return html`${asked.map((one, i) => html`${i > 0 && ', '}${name(one, 200)}`)}`
}

function otherSite(resource: string, issuer: string): Html | undefined {
  const [server, giver] = [hostOf(resource), hostOf(issuer)]
  if (server === giver || giver.endsWith(`.${server}`) || server.endsWith(`.${giver}`)) {
    return undefined
  }
  return html`<p class="card">
    Consent is given at another site than that of the server. Go on only if you know that they
    belong together: what you are given there is sent to <code>${server}</code>.
  </p>`
}

const hints = {
  given: 'This service cannot register itself there. Register it by hand',
  kept: 'Left empty, those that you have entered before count. Others you get by registering it',
  own: 'Only if you have registered this service there by hand',
} as const

interface ClientForm {
  typed: URLSearchParams | undefined
  problems: Problems
}

function clientFields(
  way: keyof typeof hints,
  { redirect }: ShownConnection,
  { typed, problems }: ClientForm,
): Html {
  const hint = `${hints[way]}, with the redirect address ${redirect}.`
  return html`${field({
    name: 'client_id',
    label: 'Client id',
    hint,
    attributes: html`autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="2000"`,
    value: typed?.get('client_id') ?? '',
    problems,
  })}
  ${field({
    name: 'client_secret',
    label: 'Client secret',
    hint: 'It may be left out.',
    attributes: html`type="password" autocomplete="off" maxlength="2000"`,
    value: typed?.get('client_secret') ?? '',
    problems,
  })}`
}

function ownClient(shown: ShownConnection, form: ClientForm): Html {
  const isTyped = (form.typed?.get('client_id') ?? '') !== ''
  return html`<details ${(isTyped || form.problems['client_id'] !== undefined) && html`open`}>
    <summary>With a client of your own</summary>
    ${clientFields('own', shown, form)}
  </details>`
}

function disconnectForm(): Html {
  return html`<form method="post" class="actions" aria-label="Disconnect">
    <button class="bad" name="action" value="disconnect">Disconnect</button>
  </form>`
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address
}
