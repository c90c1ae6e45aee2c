/** The part of Swagger UI that this page uses; the package brings no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerOptions {
    readonly url: string;
    readonly dom_id: string;
    readonly docExpansion: 'list' | 'full' | 'none';
    readonly defaultModelsExpandDepth: number;
    readonly displayRequestDuration: boolean;
    readonly tryItOutEnabled: boolean;
    readonly persistAuthorization: boolean;
    readonly validatorUrl: string | null;
  }

  // biome-ignore lint/style/noDefaultExport: it is the package's, not ours.
  export default function SwaggerUI(options: SwaggerOptions): unknown;
}
