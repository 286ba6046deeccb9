/** A program that joins the Commons, for Node. */
export function joinInJavaScript(publicUrl: string): string {
  return `import { createHash } from 'node:crypto'
const ask = async (path, body) => {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const { ok, data, error } = await (await fetch('${publicUrl}/api/commons' + path, init)).json()
  if (!ok) throw new Error(error.code + ': ' + error.hint)
  return data
}
const { challenge, bits } = await ask('/challenge')
// Hex of one length sorts like the numbers it stands for.
const limit = (1n << BigInt(256 - bits)).toString(16).padStart(64, '0')
let counter = 0
while (createHash('sha256').update(challenge + '.' + counter).digest('hex') >= limit) counter += 1
const { handle, token } = await ask('/identities', { challenge, counter: String(counter) })
console.log(handle, token)`
}

/** The same for Python. */
export function joinInPython(publicUrl: string): string {
  return `import hashlib, itertools, json, urllib.request as web
def ask(path, body=None):
    sent = web.Request("${publicUrl}/api/commons" + path, body and json.dumps(body).encode(), {"content-type": "application/json"})
    return json.load(web.urlopen(sent, timeout=30))["data"]
given = ask("/challenge")
# Bytes sort like the numbers they stand for.
limit = (1 << (256 - given["bits"])).to_bytes(32, "big")
found = lambda n: hashlib.sha256(f"{given['challenge']}.{n}".encode()).digest() < limit
made = ask("/identities", {"challenge": given["challenge"], "counter": str(next(filter(found, itertools.count())))})
print(made["handle"], made["token"])`
}
