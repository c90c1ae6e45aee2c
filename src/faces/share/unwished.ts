/**
 * Requests that no person wished for. A link that acts (`/s/{hash}/unlock`) is fetched by more than fingers: browsers load pages in
 * advance, messengers and mail gateways look at every link that passes through them, and other sites' pages may name it as a picture.
 * None of these acts (decisions §8, security checklist, row 32).
 */
import type { FaceContext } from '../env.ts';

/** What browsers and their extensions announce with, over the years. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

const IN_ADVANCE = /prefetch|prerender|preview/i;

/** Those who fetch a link to show or to judge it, by their User-Agent. Each row says whose they are. */
const LINK_READERS: readonly RegExp[] = [
  /facebookexternalhit|facebookcatalog|Facebot|meta-external/i, // Facebook, Instagram, and iMessage, which borrows the name
  /WhatsApp\//i, // WhatsApp and Signal
  /TelegramBot|Viber|Line-?spider|KakaoTalk-scrap|Snap URL Preview/i,
  /Slackbot|Slack-ImgProxy|Discordbot|SkypeUriPreview|MicrosoftPreview|ZoomBot|Mattermost|Rocket\.Chat/i,
  /Twitterbot|LinkedInBot|redditbot|Pinterest(?:bot)?\/|vkShare|Mastodon|Bluesky|Synapse|Matrix/i,
  /Applebot|Googlebot|Google-(?:PageRenderer|Read-Aloud|InspectionTool)|GoogleImageProxy|bingbot|BingPreview|YandexBot|DuckDuck/i,
  /Embedly|iframely|Quora Link Preview|Notionbot|outbrain|W3C_Validator/i,
  /GPTBot|ChatGPT-User|ClaudeBot|PerplexityBot|Bytespider|CCBot/i,
  // Whatever else says of itself that it is a machine that reads links.
  /\b\w*(?:bot|crawler|spider)\b|link[ -]?preview|unfurl/i,
];

/** Where a link stands that a person follows, or a program of the page asks itself; everything else is part of another page. */
const WISHED_DESTINATIONS: ReadonlySet<string> = new Set(['document', 'empty']);

/** Whether the request must not act, whatever it asks for. HEAD is among them: it asks what GET would say. */
export function isUnwished(c: FaceContext): boolean {
  return c.req.method === 'HEAD' || isInAdvance(c) || isLinkReader(c) || isPartOfForeignPage(c);
}

function isInAdvance(c: FaceContext): boolean {
  return PURPOSE_HEADERS.some((name) => IN_ADVANCE.test(c.req.header(name) ?? ''));
}

function isLinkReader(c: FaceContext): boolean {
  const agent = c.req.header('user-agent') ?? '';
  return LINK_READERS.some((reader) => reader.test(agent));
}

/** `<img src="…/s/{hash}/unlock">` on somebody's page or in a mail. */
function isPartOfForeignPage(c: FaceContext): boolean {
  const destination = c.req.header('sec-fetch-dest');
  if (destination === undefined || c.req.header('sec-fetch-site') === 'same-origin') return false;
  return !WISHED_DESTINATIONS.has(destination);
}
