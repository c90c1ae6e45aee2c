/** The used part of Swagger UI; the package contains no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerOptions {
    readonly url: string;
    readonly dom_id: string;
    /** They come after its own, and replace functions of the same names. */
    readonly plugins: readonly (() => { readonly fn: Readonly<Record<string, unknown>> })[];
    readonly docExpansion: 'list' | 'full' | 'none';
    readonly deepLinking: boolean;
    readonly defaultModelsExpandDepth: number;
    readonly displayRequestDuration: boolean;
    readonly tryItOutEnabled: boolean;
    readonly supportedSubmitMethods?: readonly string[];
    readonly persistAuthorization: boolean;
    readonly validatorUrl: string | null;
  }

  // biome-ignore lint/style/noDefaultExport: the package defines it.
  export default function SwaggerUI(options: SwaggerOptions): unknown;
}
