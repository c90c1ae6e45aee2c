import type { TextsLike } from '../../language.ts';
import type { en } from './en.tsx';

const MOMENT = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

export const de: TextsLike<typeof en> = {
  language: 'de',
  unnamed: 'ohne Namen',
  moment: (date) => MOMENT.format(date),
  failed: (title) => `Fehler: ${title}`,
  fields: {
    email: 'E-Mail-Adresse',
    emailOrName: 'E-Mail-Adresse oder Name',
    password: 'Passwort',
    newPasswordHint: 'Mindestens 8 Zeichen. Ein paar Wörter, die nicht zusammengehören, sind gut.',
    name: 'Dein Name',
    nameHint: 'So sehen dich andere im Haus. Du kannst das Feld leer lassen.',
  },
  devices: {
    unknown: 'Ein unbekanntes Gerät',
    on: (program, system) => `${program} auf ${system}`,
    systems: {
      iphone: 'einem iPhone',
      ipad: 'einem iPad',
      android: 'Android',
      windows: 'Windows',
      chromeos: 'ChromeOS',
      mac: 'einem Mac',
      linux: 'Linux',
    },
  },
  roles: {
    view: 'Du darfst sehen, was gerade passiert.',
    control: 'Du darfst alles sehen und steuern.',
    admin: 'Du darfst alles steuern und einrichten und andere einladen.',
    owner: 'Du darfst alles, denn es gehört dann auch dir.',
  },
  signIn: {
    title: 'Anmelden',
    forApp: 'Eine App möchte in dein Zuhause gelassen werden. Melde dich an, um zu sehen, welche.',
    signIn: 'Anmelden',
    signedOut: 'Du bist abgemeldet.',
    forgotten: (command) => <>Passwort vergessen? Wer dieses Relay betreibt, kann mit {command} ein neues setzen.</>,
    doneTitle: 'Angemeldet',
    done: 'Du bist angemeldet',
    toApp: 'Weiter zur App',
  },
  setUp: {
    title: 'Einrichten',
    heading: 'Mach dieses Haus zu deinem',
    lead: 'Dieses Relay gehört noch niemandem. Zeige mit einem Einrichtungscode, dass es deins ist, dann übernimmst du es.',
    whereCode: (command) => (
      <>
        hearthd hat den Code beim Start ausgegeben. Einen neuen erzeugst du auf seinem Rechner mit {command}. Jeder ist
        zehn Minuten gültig.
      </>
    ),
    code: 'Einrichtungscode',
    codeHint: 'Acht Buchstaben und Ziffern.',
    emailHint: 'Zum Anmelden. Es wird nie etwas dorthin geschickt.',
    claim: 'Relay übernehmen',
  },
  invitation: {
    title: 'Einem Zuhause beitreten',
    heading: (home) => <>{home} beitreten</>,
    invited: 'Du bist eingeladen.',
    invitedBy: (inviter) => <>{inviter} hat dich eingeladen.</>,
    emailHint: 'Für diese gilt die Einladung. Du meldest dich damit an; es wird nie etwas dorthin geschickt.',
    join: 'Beitreten',
    notNow: 'Jetzt nicht',
    hasAccount: (signIn) => <>Du hast hier schon ein Konto? {signIn('Melde dich an')} und komm zurück.</>,
    forAnother: (invited, user) => (
      <>
        Die Einladung ist für {invited}, und du bist als {user} angemeldet. Melde dich ab, um sie zu nutzen.
      </>
    ),
    signedInAs: (user) => <>Angemeldet als {user}</>,
    signOut: 'Abmelden',
  },
  account: {
    title: 'Dein Konto',
    signOut: 'Abmelden',
    signInThere: 'Melde dich dort noch einmal an, mit derselben Adresse und demselben Passwort.',
    openHome: 'Zum Zuhause',
    done: {
      claimed: 'Dieses Haus ist jetzt deins. Du kannst andere einladen und Apps zulassen.',
      joined: 'Du gehörst jetzt zu diesem Zuhause.',
      declined: 'Du hast die Einladung abgelehnt.',
      password: 'Dein Passwort ist geändert. Überall sonst bist du abgemeldet.',
      session: 'Diese Anmeldung ist beendet.',
      sessions: 'Überall sonst bist du abgemeldet.',
      app: 'Diese App ist ausgesperrt.',
    },
    invited: (home) => <>Du bist zu {home} eingeladen.</>,
    invitedBy: (home, inviter) => (
      <>
        {inviter} hat dich zu {home} eingeladen.
      </>
    ),
    accept: 'Annehmen',
    decline: 'Ablehnen',
    sessions: 'Wo du angemeldet bist',
    thisOne: 'dieses hier',
    since: (moment) => <>seit {moment}</>,
    lastUsed: (moment) => <>, zuletzt benutzt {moment}</>,
    from: (address) => `, von ${address}`,
    end: 'Beenden',
    endOf: (device) => `${device}: Anmeldung beenden`,
    endOthers: 'Überall sonst abmelden',
    apps: 'Apps, die du zugelassen hast',
    noApps: 'Keine.',
    scopes: { read: 'darf ansehen', write: 'darf steuern', admin: 'darf alles, was du darfst' },
    appSince: (scope, moment) => (
      <>
        {scope}, seit {moment}
      </>
    ),
    removeAccess: 'Aussperren',
    removeAccessOf: (name) => `${name} aussperren`,
    endsWithApp: 'Das endet, wenn du sie aussperrst:',
    made: {
      share: 'Freigabe',
      flow: 'Automation',
      mqtt_broker: 'MQTT-Broker',
      webhook: 'Webhook',
      access_token: 'Zugriffstoken',
    },
    password: 'Ein neues Passwort',
    passwordLead: 'Damit wirst du überall sonst abgemeldet. Apps und Zugriffstoken bleiben.',
    currentPassword: 'Dein bisheriges Passwort',
    newPassword: 'Neues Passwort',
    changePassword: 'Passwort ändern',
  },
  consent: {
    title: 'Eine App zulassen',
    heading: (app) => <>{app} in dein Zuhause lassen?</>,
    unverified: 'Ungeprüft.',
    unverifiedMeans:
      'Diesen Namen hat sich die App selbst gegeben. Mach nur weiter, wenn du das gerade in einer deiner Apps begonnen hast und die Adresse unten kennst.',
    goesTo: 'Die Antwort geht an',
    fullAddress: 'Vollständige Adresse',
    callsItself: 'Sie nennt sich',
    badge: 'ungeprüft',
    site: 'Als ihre Website nennt sie',
    onDevice: (protocol) => `${protocol} eine App auf deinem Gerät`,
    what: 'Was sie darf',
    scopes: {
      read: {
        title: 'Nur ansehen',
        means: 'Welche Geräte, Räume und Szenen es gibt, was sie gerade tun und was aufgezeichnet wurde.',
      },
      write: {
        title: 'Ansehen und steuern',
        means: 'Auch Geräte schalten und einstellen, darunter Schlösser und Türen, und Szenen ausführen.',
      },
      admin: {
        title: 'Alles, was du darfst',
        means:
          'Auch das Zuhause, Räume, Automationen und Freigaben ändern, aber nicht, wer dazugehört. Wähle das nur für eine App, der du vertraust wie dir selbst.',
      },
    },
    where: 'Wo',
    allHomes: 'Überall, wo ich Zugang habe',
    allHomesMeans: 'Auch in einem Zuhause, das später dazukommt, jeweils so weit, wie ich selbst darf.',
    singleHomesMean: ' In einem einzelnen Zuhause kann eine App ansehen und steuern und sonst nichts ändern.',
    levels: { none: 'Kein Zugang', view: 'Ansehen', control: 'Steuern' },
    password: 'Dein Passwort',
    passwordHint: 'Wird bei jeder App neu gefragt, damit niemand sonst eine zulassen kann.',
    allow: 'Zulassen',
    refuse: 'Nicht zulassen',
    endLater: 'Du kannst das jederzeit auf der Seite deines Kontos beenden.',
    signedInAs: (user, email) => (
      <>
        Angemeldet als {user} ({email})
      </>
    ),
    notYou: 'Nicht du? Abmelden',
  },
  appRefused: {
    title: 'Die App konnte nicht zugelassen werden',
    invalid_client:
      'Dieses Relay kennt die App nicht oder hat sie vergessen. Entferne das Relay in der App und füge es neu hinzu.',
    invalid_redirect_uri:
      'Die App will dich an eine Adresse schicken, die sie nicht angemeldet hat. Dorthin wurde nichts gesendet.',
    other: (what) => `Die App wollte etwas, das nicht geht. Auf Englisch heißt es: „${what}“`,
  },
  errors: {
    titles: {
      not_found: 'Hier ist nichts',
      share_not_found: 'Hier ist nichts',
      forbidden_origin: 'Das ließ sich nicht annehmen',
      insufficient_permissions: 'Das ist nicht erlaubt',
      invalid_token: 'Melde dich zuerst an',
      rate_limited: 'Zu viele Versuche',
      relay_not_connected: 'Noch nicht bereit',
      storage_unavailable: 'Gerade lässt sich nichts sichern',
      internal: 'Etwas ist schiefgegangen',
    },
    otherTitle: 'Das geht nicht',
    advice: {
      share_not_found:
        'Vielleicht ist die Freigabe beendet, oder der Link wurde nicht ganz kopiert. Wer ihn dir gegeben hat, kann dir einen neuen geben.',
    },
    inLog: (id) => <>Im Protokoll steht es unter {id}.</>,
  },
  refused: {
    foreignForm:
      'Dieses Formular gilt nicht mehr, oder dein Browser behält keine Cookies. Geh zurück, lade die Seite neu und sende es noch einmal.',
    noForm: 'Diese Adresse nimmt nur Formulare an: Öffne die Seite und nutze ihre Tasten.',
    formCutShort: 'Das Formular kam nicht ganz an. Sende es noch einmal.',
    claimed: 'Dieses Relay gehört inzwischen jemandem. Melde dich stattdessen an.',
    invitationOver: 'Diese Einladung gilt nicht mehr. Wer dich eingeladen hat, kann dir eine neue geben.',
    consentOver:
      'Diese Anmeldung ist vorbei oder wurde in einem anderen Browser begonnen. Geh zurück zur App und beginne neu.',
    wrongPassword: 'Dieses Passwort ist falsch.',
    noScope: 'Wähle, was die App darf.',
    noHome: 'Wähle für die App mindestens ein Zuhause, oder lass sie nicht zu.',
  },
  notBuilt: {
    title: 'Nicht gebaut',
    heading: 'Das Dashboard ist nicht gebaut',
    lead: (command) => (
      <>
        Führe {command} aus und starte hearthd aus dem Ergebnis. Das Haus läuft auch ohne, und diese Seiten gehen schon:
      </>
    ),
    signIn: 'Anmelden',
    setUp: 'Ein Relay einrichten, das noch niemandem gehört',
  },
};
