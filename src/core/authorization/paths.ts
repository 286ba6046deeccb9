/** The paths of the authorization server, below the public URL. */
export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
  device: '/oauth/device',
  deviceAuthorization: '/oauth/device-authorization',
  consent: '/oauth/consent',
  ended: '/oauth/ended',
} as const

/** The MCP door for hosts that sign a person in. */
export const accountDoor = '/mcp/account'

/** The cookie of a browser that brings a request to a person. */
export const consentCookie = 'abode_consent'
