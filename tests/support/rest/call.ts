/** A request to the API of a server. @throws Error for what is no success */
export async function call<T>(
  url: string,
  method: string,
  path: string,
  key?: string,
  body?: object,
): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const sent = body && JSON.stringify(body)
  const answer = await fetch(url + path, { method, headers, body: sent ?? null })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  // The test says what it expects of the operation's answer.
  return JSON.parse(text) as T
}

/** What an agent gets that asks for a key. */
export interface Claimable {
  claim_url: string
  token: string
  api_key: string
}

/** An account of an agent that is called so. */
export function claimable(url: string, name?: string): Promise<Claimable> {
  return call<Claimable>(url, 'POST', '/api/agent-claim', undefined, { name })
}

/** The key of a new account. */
export async function newKey(url: string): Promise<string> {
  return (await claimable(url)).api_key
}
