/** A program that joins the Commons, for Node. */
export function joinInJavaScript(publicUrl: string): string {
  return `import { createHash } from 'node:crypto'

async function ask(path, body) {
  const response = await fetch('${publicUrl}/api/commons' + path, body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { ok, data, error } = await response.json()
  if (!ok) throw new Error(\`\${error.code}: \${error.message} \${error.hint}\`)
  return data
}

function solve(challenge, bits) {
  // Hex of one length sorts like the numbers it stands for, so "that many zero bits" is "less than".
  const limit = (1n << BigInt(256 - bits)).toString(16).padStart(64, '0')
  for (let counter = 0; ; counter += 1) {
    const hash = createHash('sha256').update(\`\${challenge}.\${counter}\`).digest('hex')
    if (hash < limit) return String(counter)
  }
}

const { challenge, bits } = await ask('/challenge')
const { handle, token } = await ask('/identities', { challenge, counter: solve(challenge, bits) })
console.log(handle, token)`
}

/** The same for Python. */
export function joinInPython(publicUrl: string): string {
  return `import hashlib, itertools, json, urllib.error, urllib.request

def ask(path, body=None):
    request = urllib.request.Request("${publicUrl}/api/commons" + path)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("content-type", "application/json")
    try:
        answer = json.load(urllib.request.urlopen(request, timeout=30))
    except urllib.error.HTTPError as refused:
        error = json.load(refused)["error"]
        raise SystemExit(f"{error['code']}: {error['message']} {error['hint']}")
    return answer["data"]

def solve(challenge, bits):
    # Bytes sort like the numbers they stand for, so "that many zero bits" is "less than".
    limit = (1 << (256 - bits)).to_bytes(32, "big")
    for counter in itertools.count():
        if hashlib.sha256(f"{challenge}.{counter}".encode()).digest() < limit:
            return str(counter)

given = ask("/challenge")
counter = solve(given["challenge"], given["bits"])
made = ask("/identities", {"challenge": given["challenge"], "counter": counter})
print(made["handle"], made["token"])`
}
