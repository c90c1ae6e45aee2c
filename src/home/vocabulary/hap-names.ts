/** HAP's types by the names under which the home is shown. Faces know these words, and HAP's tables only through them. */
export { categoryTitle } from '../../hap-spec/categories.ts';
export { characteristicName } from '../../hap-spec/characteristics.ts';
export { serviceName } from '../../hap-spec/services.ts';
