import type { Child } from 'hono/jsx';

const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** What somebody else wrote, commands and links come in as markup of their own, escaped already. */
export const en = {
  language: 'en',
  /** In place of a name with nothing in it that can be seen. */
  unnamed: 'unnamed',
  moment: (date: Date) => MOMENT.format(date),
  /** The title of a page that came back. */
  failed: (title: string) => `Error: ${title}`,
  fields: {
    email: 'E-mail address',
    password: 'Password',
    newPasswordHint: 'At least 8 characters. A few words that don’t belong together are good.',
    name: 'Your name',
    nameHint: 'What others in the house see. You may leave it out.',
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
  /** What each role lets a person do in a home. */
  roles: {
    view: 'You may see what is going on.',
    control: 'You may see and control everything.',
    admin: 'You may control and set up everything, and invite others.',
    owner: 'You may do everything, as its owner.',
  },
  signIn: {
    title: 'Sign in',
    forApp: 'An app asks to be let into your home. Sign in to see which.',
    signIn: 'Sign in',
    signedOut: 'You are signed out.',
    forgotten: (command: Child) => <>Forgotten it? Whoever runs this relay can set a new one with {command}.</>,
    doneTitle: 'Signed in',
    done: 'You are signed in',
    toApp: 'Go on to the app',
  },
  setUp: {
    title: 'Set up',
    heading: 'Make this house yours',
    lead: 'Nobody owns this relay yet. Show with a setup code that it is yours, and you become its owner.',
    whereCode: (command: Child) => (
      <>
        hearthd printed the code when it started. To get a new one, run {command} on its computer. Each is good for ten
        minutes.
      </>
    ),
    code: 'Setup code',
    codeHint: 'Eight letters and digits.',
    emailHint: 'To sign in with. Nothing is ever sent to it.',
    claim: 'Become the owner',
  },
  invitation: {
    title: 'Join a home',
    heading: (home: Child) => <>Join {home}</>,
    invited: 'You are invited.',
    invitedBy: (inviter: Child) => <>You are invited by {inviter}.</>,
    emailHint: 'The invitation is for this one. You sign in with it; nothing is ever sent to it.',
    join: 'Join',
    notNow: 'Not now',
    hasAccount: (signIn: (label: string) => Child) => (
      <>You have an account here already? {signIn('Sign in')} and come back.</>
    ),
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
    signInThere: 'Sign in there once more, with the same address and password.',
    openHome: 'Open the home',
    /** By the word in the address. */
    done: {
      claimed: 'This house is yours now. You can invite others, and let apps in.',
      joined: 'You joined the home.',
      declined: 'You declined the invitation.',
      password: 'Your password is changed. Everywhere else you are signed out.',
      session: 'That session is ended.',
      sessions: 'Everywhere else you are signed out.',
      app: 'That app is shut out.',
    },
    invited: (home: Child) => <>You are invited to {home}.</>,
    invitedBy: (home: Child, inviter: Child) => (
      <>
        {inviter} has you invited to {home}.
      </>
    ),
    accept: 'Accept',
    decline: 'Decline',
    sessions: 'Where you are signed in',
    thisOne: 'this one',
    since: (moment: Child) => <>since {moment}</>,
    lastUsed: (moment: Child) => <>, last used {moment}</>,
    from: (address: string) => ` from ${address}`,
    end: 'End',
    endOf: (device: string) => `End ${device}`,
    endOthers: 'Sign out everywhere else',
    apps: 'Apps you let in',
    noApps: 'None.',
    scopes: { read: 'sees', write: 'sees and controls', admin: 'does everything you may' },
    appSince: (scope: string, moment: Child) => (
      <>
        {scope}, since {moment}
      </>
    ),
    shutOut: 'Shut out',
    shutOutApp: (name: string) => `Shut out ${name}`,
    password: 'A new password',
    passwordLead: 'It signs you out everywhere else. Apps and access tokens stay.',
    currentPassword: 'Your password until now',
    newPassword: 'New password',
    changePassword: 'Change password',
  },
  consent: {
    title: 'Allow an app',
    heading: (app: Child) => <>Let {app} into your home?</>,
    unverified: 'Unverified.',
    unverifiedMeans:
      'The app chose this name itself. Go on only if you started this in an app of yours just now, and if you know the address below.',
    goesTo: 'The answer goes to',
    fullAddress: 'Full address',
    callsItself: 'It calls itself',
    badge: 'unverified',
    site: 'It says its site is',
    onDevice: (protocol: string) => `${protocol} an app on your device`,
    what: 'What it may do',
    scopes: {
      read: {
        title: 'See only',
        means: 'Which accessories, rooms and scenes there are, what they are doing, and what was recorded.',
      },
      write: {
        title: 'See and control',
        means: 'Also switch and set accessories, locks and doors among them, and run scenes.',
      },
      admin: {
        title: 'Everything you may do',
        means:
          'Also change homes, rooms, automations and who has access. Choose this only for an app that you trust as yourself.',
      },
    },
    where: 'Where',
    allHomes: 'In all my homes',
    allHomesMeans: 'Those I join later too, as far as I may go in each.',
    singleHomesMean: ' In single homes an app can see and control, and change nothing else.',
    levels: { none: 'Not at all', view: 'See', control: 'Control' },
    password: 'Your password',
    passwordHint: 'Asked again for every app, so that nobody else can allow one.',
    allow: 'Allow',
    refuse: 'Don’t allow',
    endLater: 'You can end this at any time on your account page.',
    signedInAs: (user: Child, email: Child) => (
      <>
        Signed in as {user} ({email})
      </>
    ),
    notYou: 'Not you? Sign out',
  },
  /** Of an app whose request is none. */
  appRefused: {
    title: 'The app could not be let in',
    invalid_client:
      'This relay does not know the app, or has forgotten it. Remove the relay in the app and add it again.',
    invalid_redirect_uri: 'The app wants you sent to an address that it did not register. Nothing was sent there.',
    other: (what: string) => `The app asked for something that can't be done: ${what}.`,
  },
  errors: {
    titles: {
      not_found: 'There is nothing here',
      share_not_found: 'There is nothing here',
      forbidden_origin: 'This could not be accepted',
      insufficient_permissions: 'This is not allowed',
      invalid_token: 'Sign in first',
      rate_limited: 'Too many tries',
      relay_not_connected: 'Not ready yet',
      storage_unavailable: 'Nothing can be saved now',
      internal: 'Something went wrong',
    },
    otherTitle: 'This is not possible',
    advice: {
      share_not_found:
        'The share may have ended, or its link was not copied whole. Ask whoever gave it to you for a new one.',
    },
    inLog: (id: Child) => <>The log has it as {id}.</>,
  },
  /** What the pages refuse themselves. */
  refused: {
    foreignForm:
      'This form is not valid any more, or your browser keeps no cookies. Go back, reload the page and send it again.',
    noForm: 'This address takes forms only: open the page and use its buttons.',
    formCutShort: 'The form ended before its end was announced.',
    claimed: 'This relay already has an owner. Sign in instead.',
    invitationOver: 'This invitation is not valid any more. Ask whoever invited you for a new one.',
    consentOver: 'This sign-in has ended, or was begun in another browser. Go back to the app and begin again.',
    wrongPassword: 'Wrong password.',
    noScope: 'Choose what the app may do.',
    noHome: 'Choose at least one home for the app, or don’t allow it.',
  },
  notBuilt: {
    title: 'Not built',
    heading: 'The dashboard is not built',
    lead: (command: Child) => (
      <>Run {command} and start hearthd from its build. The house works without, and so do these pages:</>
    ),
    signIn: 'Sign in',
    setUp: 'Set up a relay that nobody owns yet',
  },
};
