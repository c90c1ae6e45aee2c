/**
 * Detects requests that no person initiated. Not only people open a link that acts (`/s/{hash}/unlock`): browsers
 * preload pages, messengers and mail gateways fetch every link they transport, and other sites' pages may embed it as
 * an image. None of these requests acts (decisions §8, security checklist, row 32).
 */
import type { ApiContext } from '../env.ts';

/** The headers with which browsers and their extensions have announced prefetches over the years. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

const IN_ADVANCE = /prefetch|prerender|preview/i;

/** Programs that fetch a link to preview or to check it, by their User-Agent. Each row names their vendors. */
const LINK_READERS: readonly RegExp[] = [
  /facebookexternalhit|facebookcatalog|Facebot|meta-external/i, // Facebook, Instagram, and iMessage (same name)
  /WhatsApp\//i, // WhatsApp and Signal
  /TelegramBot|Viber|Line-?spider|KakaoTalk-scrap|Snap URL Preview/i,
  /Slackbot|Slack-ImgProxy|Discordbot|SkypeUriPreview|MicrosoftPreview|ZoomBot|Mattermost|Rocket\.Chat/i,
  /Twitterbot|LinkedInBot|redditbot|Pinterest(?:bot)?\/|vkShare|Mastodon|Bluesky|Synapse|Matrix/i,
  /Applebot|Googlebot|Google-(?:PageRenderer|Read-Aloud|InspectionTool)|GoogleImageProxy|bingbot|BingPreview|YandexBot|DuckDuck/i,
  /Embedly|iframely|Quora Link Preview|Notionbot|outbrain|W3C_Validator/i,
  // Mail gateways that check links before they deliver them.
  /Barracuda|Mimecast|Proofpoint|SafeLinks|MailScanner|Cloudmark|urlscan|VirusTotal|Google-Safety/i,
  /GPTBot|ChatGPT-User|ClaudeBot|PerplexityBot|Bytespider|CCBot/i,
  // Any other program that identifies itself as a bot or link reader.
  /\b\w*(?:bot|crawler|spider)\b|link[ -]?preview|unfurl/i,
];

/**
 * Sec-Fetch-Dest of a link that a person follows, or of a request by the page's own script; any other value is part of
 * another page.
 */
const PAGE_DESTINATIONS: ReadonlySet<string> = new Set(['document', 'empty']);

/** Whether the request must not act, on any path. HEAD is included: it requests GET's headers. */
export function isPrefetchOrPreview(c: ApiContext): boolean {
  return c.req.method === 'HEAD' || isInAdvance(c) || isLinkReader(c) || isPartOfOtherPage(c);
}

function isInAdvance(c: ApiContext): boolean {
  return PURPOSE_HEADERS.some((name) => IN_ADVANCE.test(c.req.header(name) ?? ''));
}

function isLinkReader(c: ApiContext): boolean {
  const agent = c.req.header('user-agent') ?? '';
  return LINK_READERS.some((reader) => reader.test(agent));
}

/** `<img src="…/s/{hash}/unlock">` on another site's page or in a mail. */
function isPartOfOtherPage(c: ApiContext): boolean {
  const destination = c.req.header('sec-fetch-dest');
  if (destination === undefined || c.req.header('sec-fetch-site') === 'same-origin') return false;
  return !PAGE_DESTINATIONS.has(destination);
}
