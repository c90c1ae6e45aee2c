/** The used part of Swagger UI; the package contains no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerOptions {
    readonly url: string;
    readonly dom_id: string;
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
