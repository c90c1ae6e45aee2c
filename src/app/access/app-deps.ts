/** What most operations are built from. An operation names the members that it uses. */
import type { CommonHomeDeps } from '../../home/home-deps.ts';
import type { Access } from './authorize.ts';
import type { Makers } from './makers.ts';

interface CommonAppDeps extends CommonHomeDeps {
  readonly access: Access;
  readonly makers: Makers;
}

/** `AppDeps<'state' | 'access'>` */
export type AppDeps<Name extends keyof CommonAppDeps> = Pick<CommonAppDeps, Name>;
