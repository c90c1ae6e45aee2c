/** HAP's words for those who present the home but do not know HAP. */
export { categoryTitle } from '../../hap-spec/categories.ts';
export { characteristicName } from '../../hap-spec/characteristics.ts';
export { serviceName } from '../../hap-spec/services.ts';
