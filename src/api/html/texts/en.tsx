import type { Child } from 'hono/jsx';

const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** Text from other people, commands and links are passed in as markup, already escaped. */
export const en = {
  language: 'en',
  /** Replaces a name without visible characters. */
  unnamed: 'unnamed',
  moment: (date: Date) => MOMENT.format(date),
  /** The title of a page shown again with an error. */
  failed: (title: string) => `Error: ${title}`,
  fields: {
    email: 'Email address',
    emailOrName: 'Email address or name',
    password: 'Password',
    newPasswordHint: 'At least 8 characters. A few unrelated words are a good choice.',
    name: 'Your name',
    nameHint: 'Shown to others in the home. Optional.',
  },
  devices: {
    unknown: 'An unknown device',
    on: (program: string, system: string) => `${program} on ${system}`,
    systems: {
      iphone: 'iPhone',
      ipad: 'iPad',
      android: 'Android',
      windows: 'Windows',
      chromeos: 'ChromeOS',
      mac: 'a Mac',
      linux: 'Linux',
    },
  },
  /** What each role permits in a home. */
  roles: {
    view: 'You can see the state of everything.',
    control: 'You can see and control everything.',
    admin: 'You can control and set up everything, and invite others.',
    owner: 'You have full access as its owner.',
  },
  signIn: {
    title: 'Sign in',
    forApp: 'An app requests access to your home. Sign in to review it.',
    signIn: 'Sign in',
    signedOut: 'You are signed out.',
    forgotten: (command: Child) => (
      <>Forgot your password? The person who runs this relay can set a new one with {command}.</>
    ),
    doneTitle: 'Signed in',
    done: 'You are signed in',
    toApp: 'Continue to the app',
  },
  setUp: {
    title: 'Set up',
    heading: 'Make this home yours',
    lead: 'This relay has no owner yet. Enter the setup code to become its owner.',
    whereCode: (command: Child) => (
      <>
        hearthd printed the code when it started. To get a new one, run {command} on its computer. A code is valid for
        ten minutes.
      </>
    ),
    code: 'Setup code',
    codeHint: 'Eight letters and digits.',
    emailHint: 'Used to sign in. You won’t receive any email.',
    claim: 'Create account',
  },
  invitation: {
    title: 'Join a home',
    heading: (home: Child) => <>Join {home}</>,
    invited: 'You are invited.',
    invitedBy: (inviter: Child) => <>You are invited by {inviter}.</>,
    emailHint: 'The invitation is for this address. Use it to sign in. You won’t receive any email.',
    join: 'Join',
    notNow: 'Not now',
    hasAccount: (signIn: (label: string) => Child) => <>Already have an account? {signIn('Sign in')} and come back.</>,
    forAnother: (invited: Child, user: Child) => (
      <>
        The invitation is for {invited}, and you are signed in as {user}. Sign out to use it.
      </>
    ),
    signedInAs: (user: Child) => <>Signed in as {user}</>,
    signOut: 'Sign out',
  },
  account: {
    title: 'Your account',
    signOut: 'Sign out',
    signInThere: 'Sign in there again, with the same address and password.',
    openHome: 'Open the home',
    /** By the `?done=` value. */
    done: {
      claimed: 'You are now the owner. You can invite others and connect apps.',
      joined: 'You joined the home.',
      declined: 'You declined the invitation.',
      password: 'Password changed. You are signed out everywhere else.',
      session: 'Session signed out.',
      sessions: 'You are signed out everywhere else.',
      app: 'Access removed for this app.',
    },
    invited: (home: Child) => <>You are invited to {home}.</>,
    invitedBy: (home: Child, inviter: Child) => (
      <>
        {inviter} invited you to {home}.
      </>
    ),
    accept: 'Accept',
    decline: 'Decline',
    sessions: 'Where you are signed in',
    thisOne: 'this one',
    since: (moment: Child) => <>since {moment}</>,
    lastUsed: (moment: Child) => <>, last used {moment}</>,
    from: (address: string) => ` from ${address}`,
    end: 'Sign out',
    endOf: (device: string) => `Sign out ${device}`,
    endOthers: 'Sign out everywhere else',
    apps: 'Connected apps',
    noApps: 'None.',
    scopes: { read: 'can view', write: 'can view and control', admin: 'full access' },
    appSince: (scope: string, moment: Child) => (
      <>
        {scope}, since {moment}
      </>
    ),
    removeAccess: 'Remove access',
    removeAccessOf: (name: string) => `Remove access for ${name}`,
    endsWithApp: 'These are deleted if you remove its access:',
    made: {
      share: 'Share',
      flow: 'Automation',
      mqtt_broker: 'MQTT broker',
      webhook: 'Webhook',
      access_token: 'Access token',
    },
    password: 'New password',
    passwordLead: 'You will be signed out everywhere else. Apps and access tokens keep working.',
    currentPassword: 'Current password',
    newPassword: 'New password',
    changePassword: 'Change password',
  },
  consent: {
    title: 'Allow an app',
    heading: (app: Child) => <>Allow {app} to access your home?</>,
    unverified: 'Unverified.',
    unverifiedMeans:
      'The app chose this name itself. Only continue if you just started this in one of your apps, and if you recognise the address below.',
    goesTo: 'Redirects to',
    fullAddress: 'Full address',
    callsItself: 'App name',
    badge: 'unverified',
    site: 'Website (unverified)',
    onDevice: (protocol: string) => `${protocol} an app on your device`,
    what: 'Permissions',
    scopes: {
      read: {
        title: 'View',
        means: 'Accessories, rooms and scenes, their state and their history.',
      },
      write: {
        title: 'View and control',
        means: 'Also control accessories, including locks and doors, and run scenes.',
      },
      admin: {
        title: 'Full access',
        means:
          'Also edit homes, rooms, automations and share links, but not members. Only choose this for an app you fully trust.',
      },
    },
    where: 'Homes',
    allHomes: 'All my homes',
    allHomesMeans: 'Including homes you join later, with your role in each.',
    singleHomesMean: ' In selected homes, an app can only view and control.',
    levels: { none: 'No access', view: 'View', control: 'Control' },
    password: 'Your password',
    passwordHint: 'Required for every app, so that no one else can allow one.',
    allow: 'Allow',
    refuse: 'Don’t allow',
    endLater: 'You can remove access at any time on your account page.',
    signedInAs: (user: Child, email: Child) => (
      <>
        Signed in as {user} ({email})
      </>
    ),
    notYou: 'Not you? Sign out',
  },
  /** For an app's invalid request. */
  appRefused: {
    title: 'The app could not be connected',
    invalid_client: 'This relay doesn’t recognise the app. Remove the relay in the app and add it again.',
    invalid_redirect_uri:
      'The app requested a redirect to an address that it did not register. Nothing was sent there.',
    other: (what: string) => `The app’s request is not valid: ${what}.`,
  },
  errors: {
    titles: {
      not_found: 'Page not found',
      share_not_found: 'Share not found',
      forbidden_origin: 'Request rejected',
      insufficient_permissions: 'Not allowed',
      invalid_token: 'Sign in first',
      rate_limited: 'Too many attempts',
      relay_not_connected: 'Not ready yet',
      storage_unavailable: 'The relay can’t save right now',
      internal: 'Something went wrong',
    },
    otherTitle: 'Not possible',
    advice: {
      share_not_found:
        'The share may have expired, or the link wasn’t copied completely. Ask the person who gave it to you for a new one.',
    },
    inLog: (id: Child) => <>See the log, entry {id}.</>,
  },
  /** Errors of the pages themselves. */
  refused: {
    foreignForm: 'This form has expired, or your browser blocks cookies. Go back, reload the page and send it again.',
    noForm: 'This address only accepts forms. Open the page and use its buttons.',
    formCutShort: 'The form was not received completely. Send it again.',
    claimed: 'This relay already has an owner. Sign in instead.',
    invitationOver: 'This invitation is no longer valid. Ask the person who invited you for a new one.',
    consentOver: 'This sign-in has expired or was started in another browser. Go back to the app and start again.',
    wrongPassword: 'Wrong password.',
    noScope: 'Choose a permission for the app.',
    noHome: 'Choose at least one home for the app, or don’t allow it.',
  },
  notBuilt: {
    title: 'Dashboard not built',
    heading: 'The dashboard is not built',
    lead: (command: Child) => (
      <>Run {command} and start hearthd from its build. The home works without it, and so do these pages:</>
    ),
    signIn: 'Sign in',
    setUp: 'Set up a relay without an owner',
  },
};
