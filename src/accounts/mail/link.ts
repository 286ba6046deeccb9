import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { digest, isToken, newToken } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'

/** What a link in a mail is for. */
export type LinkKind = 'reset' | 'register' | 'verify'

/** A link that was sent by mail, at rest: only the SHA-256 of its code. */
export interface StoredMailLink {
  /** The hash. */
  id: string
  kind: LinkKind
  /** Null of a newcomer. */
  person_id: string | null
  /** What a newcomer has registered with, sealed. */
  sealed?: string
  created_at: string
  expires_at: string
  /** Each is used once. */
  used_at: string | null
}

/** How long a link that sets a password works. */
export const resetSeconds = 3600

/** How long a link that verifies an address works. */
export const verifySeconds = 86_400

/** The path of the page of each kind of link, before its code. */
export const linkFolders: Readonly<Record<LinkKind, string>> = {
  reset: '/reset/',
  register: '/verify/',
  verify: '/verify/',
}

/** The path of the page on which a link for a new password is asked for. */
export const forgotPath = '/forgot'

/** What a link is for. */
interface Linking extends Pick<StoredMailLink, 'kind' | 'person_id'> {
  /** Seals for its record what it brings. */
  sealed?: (id: string) => string
}

/** A new link: its address, which is in no record, and the write that makes it work. */
export function newLink(
  { clock, settings }: Pick<Ports, 'clock' | 'settings'>,
  { kind, person_id, sealed }: Linking,
  seconds: number,
): { address: string; write: Write } {
  const code = newToken('abl')
  const now = clock.now()
  const id = digest(code)
  const insert: StoredMailLink = {
    id,
    kind,
    person_id,
    ...(sealed && { sealed: sealed(id) }),
    created_at: timestamp(now),
    expires_at: secondsAfter(now, seconds),
    used_at: null,
  }
  return {
    address: settings.publicUrl + linkFolders[kind] + code,
    write: { in: 'mail_links', insert },
  }
}

/** The link with this code, if it may be used. @throws Refusal `link_unusable` */
export async function usableLink(
  { store, clock }: { store: Pick<Store, 'mail_links'>; clock: Ports['clock'] },
  code: string,
  kinds: readonly LinkKind[],
): Promise<StoredMailLink> {
  const link = isToken(code, 'abl') ? await store.mail_links.get(digest(code)) : undefined
  if (!link || !kinds.includes(link.kind) || link.expires_at <= timestamp(clock.now())) {
    return unknownLink()
  }
  return link.used_at === null ? link : usedLink()
}

/** The write that uses a link up: it fails (`Unmet`) if that was done meanwhile. */
export function usingUp({ id }: Pick<StoredMailLink, 'id'>, now: Date): Write {
  const change = { $set: { used_at: timestamp(now) } }
  return { in: 'mail_links', update: { id, used_at: null }, change }
}

/** @throws Refusal `link_unusable` for one that was never sent, is too old, or whose person is gone */
export function unknownLink(): never {
  return unusable('This link does not work, or no longer.')
}

/** @throws Refusal `link_unusable` for one that was used, now or before */
export function usedLink(cause?: unknown): never {
  return unusable('This link was used before.', cause)
}

/** @throws Refusal `link_unusable` */
export function unusable(message: string, cause?: unknown): never {
  return refuse('link_unusable', message, {
    hint: 'Open the whole link of the newest mail, or ask for another.',
    cause,
  })
}
