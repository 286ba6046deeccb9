import { registeredVisitor, type PageVisitor } from '#tests/accounts/people/page-visitor.ts'
import { call } from '#tests/support/rest/call.ts'

/** A person, with a key of their account. */
export interface Owner {
  visitor: PageVisitor
  /** A call by that key. */
  on: <T = unknown>(method: string, path: string, body?: object) => Promise<T>
}

/** A person who has just registered. */
export async function ownerAt(url: string, email?: string): Promise<Owner> {
  const visitor = await registeredVisitor(url, email)
  const made = await fetch(`${url}/api/api-keys/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie: visitor.cookie ?? '' },
    body: JSON.stringify({ name: 'Mine' }),
  })
  // What the operation answers.
  const { key } = (await made.json()) as { key: string }
  return { visitor, on: (method, path, body) => call(url, method, path, key, body) }
}

/** Makes a person a member of an account, which their pages show from then on. */
export async function joined(
  person: PageVisitor,
  { visitor, account }: Owner & { account: string },
  role: string,
): Promise<void> {
  const made = await visitor.post('/settings', { action: 'invite', account, role, email: '' })
  const [path = ''] = /\/join\/abm_\w+/.exec(made.text) ?? []
  const { goesTo } = await person.post(path, { action: 'join' })
  if (goesTo !== '/home') throw new Error(`joined nothing: ${made.text}`)
}
