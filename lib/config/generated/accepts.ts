// @ts-nocheck
/** Generated from schemas/config.json by `npm run generate`. Do not edit. */
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { ConfigFile } from './file.ts'
import { FORMATS } from '../../schemas/formats.ts'
import equal from 'ajv/dist/runtime/equal.js'


const accept = validate0;
const schema0 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["models"],"properties":{"$schema":{"type":"string"},"brand":{"type":"string","pattern":"^[a-z][a-z0-9-]{0,31}$","default":"service"},"docs_url":{"type":"string","format":"uri","pattern":"^https?://"},"topup_url":{"type":"string","format":"uri","pattern":"^https?://"},"listen":{"$ref":"config/listen.json","default":{}},"admin":{"$ref":"config/admin.json","default":{}},"console":{"$ref":"config/console.json","default":{}},"hosts":{"$ref":"config/hosts.json","default":{}},"store":{"type":"string","pattern":"^(sqlite:.+|postgres(ql)?://.+)$","default":"sqlite:./data/sluiceway.db"},"limits_store":{"type":"string","pattern":"^(memory|rediss?://.+)$","default":"memory"},"cache_isolation":{"enum":["off","account","zdr"],"default":"zdr"},"cache_isolation_key":{"type":"string","minLength":16},"limits":{"type":"object","additionalProperties":false,"default":{},"properties":{"processes":{"type":"integer","minimum":1,"maximum":10000}}},"credits":{"type":"object","additionalProperties":false,"default":{},"properties":{"broken_streams":{"enum":["free","delivered"],"default":"free"}}},"journal":{"type":"string","minLength":1,"default":"./data/journal"},"alerts":{"$ref":"config/alerts.json"},"retention_days":{"type":"integer","minimum":1,"maximum":36500,"default":30},"workers":{"type":"integer","minimum":1,"maximum":256,"default":1},"drain_delay_seconds":{"type":"number","minimum":0,"maximum":3600,"default":0},"drain_seconds":{"type":"number","minimum":0,"maximum":86400,"default":30},"timeouts":{"$ref":"config/timeouts.json","default":{}},"body_limit_bytes":{"type":"integer","minimum":1024,"maximum":536870912,"default":52428800},"audio_limit_bytes":{"type":"integer","minimum":1024,"maximum":4294967296,"default":27262976},"audio_held_bytes":{"type":"integer","minimum":1024,"maximum":67108864,"default":1048576},"admission":{"$ref":"config/admission.json","default":{}},"memory":{"$ref":"config/memory.json","default":{}},"rate_limits_per_minute":{"$ref":"config/rate-limits.json","default":{}},"files":{"$ref":"config/files.json","default":{}},"image_fetch":{"type":"object","additionalProperties":false,"default":{},"properties":{"allow":{"type":"array","items":{"type":"string","minLength":1},"default":[]}}},"cors":{"type":"object","additionalProperties":false,"default":{},"properties":{"origins":{"type":"array","uniqueItems":true,"items":{"type":"string","pattern":"^(\\*|https?://[^/?#\\s]+)$"},"default":[]}}},"log":{"type":"object","additionalProperties":false,"default":{},"properties":{"level":{"enum":["silent","fatal","error","warn","info","debug","trace"],"default":"info"},"format":{"enum":["text","json"],"default":"json"},"client_address":{"type":"boolean","default":false}}},"metrics":{"type":"object","additionalProperties":false,"default":{},"properties":{"accounts":{"type":"integer","minimum":0,"maximum":1000,"default":0}}},"chat":{"type":"object","additionalProperties":false,"default":{},"properties":{"usage_chunks":{"$ref":"config/switches.json#/$defs/usage_chunks","default":"every"}}},"messages":{"type":"object","additionalProperties":false,"default":{},"properties":{"adaptive_thinking":{"$ref":"config/switches.json#/$defs/adaptive_thinking","default":"off"},"tool_images_without_vision":{"$ref":"config/switches.json#/$defs/tool_images_without_vision","default":"refuse"},"input_tokens":{"$ref":"config/switches.json#/$defs/input_tokens","default":"total"}}},"responses":{"type":"object","additionalProperties":false,"default":{},"properties":{"unknown_tools":{"$ref":"config/switches.json#/$defs/unknown_tools","default":"reject"},"sequence_number":{"$ref":"config/switches.json#/$defs/sequence_number","default":false},"untyped_items":{"$ref":"config/switches.json#/$defs/untyped_items","default":"refuse"}}},"tools":{"type":"object","additionalProperties":false,"default":{},"properties":{"empty_parameters":{"$ref":"config/switches.json#/$defs/empty_parameters","default":"refuse"}}},"clamp_max_tokens":{"type":"array","uniqueItems":true,"items":{"enum":["chat","completions","messages","responses"]},"default":["messages"]},"routing":{"$ref":"config/routing.json","default":{}},"plugins":{"$ref":"config/plugins.json"},"models":{"type":"array","minItems":1,"items":{"$ref":"config/model.json"}},"endpoints":{"type":"array","items":{"$ref":"config/endpoint.json"},"default":[]},"plans":{"type":"object","propertyNames":{"pattern":"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"},"additionalProperties":{"$ref":"config/plan.json"},"default":{}},"accounts":{"type":"array","items":{"$ref":"config/account.json"},"default":[]}}};
const schema1 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"host":{"type":"string","minLength":1,"default":"127.0.0.1"},"port":{"type":"integer","minimum":0,"maximum":65535,"default":8080},"trusted_proxies":{"type":"array","items":{"type":"string"},"default":[]},"reuse_port":{"type":"boolean","default":false},"tls":{"type":"object","additionalProperties":false,"required":["cert","key"],"properties":{"cert":{"type":"string","minLength":1},"key":{"type":"string","minLength":1}}}}};
const schema29 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["webhook","secret"],"properties":{"webhook":{"type":"string","format":"uri","pattern":"^https?://[^\\s/?#@]+([/?#]|$)"},"secret":{"type":"string","pattern":"^(?:whsec_)?(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$"},"credit_below_cents":{"type":"array","maxItems":20,"uniqueItems":true,"items":{"type":"integer","minimum":-1000000000,"maximum":1000000000},"default":[]},"quota_used":{"type":"array","maxItems":20,"uniqueItems":true,"items":{"type":"number","exclusiveMinimum":0,"maximum":1},"default":[]},"backend_down_seconds":{"type":"number","minimum":1,"maximum":86400,"default":60}}};
const schema44 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"bodies_bytes":{"type":"integer","minimum":1048576,"maximum":1099511627776},"account_share":{"type":"number","exclusiveMinimum":0,"maximum":1,"default":0.5},"wait_ms":{"type":"integer","minimum":0,"maximum":300000,"default":5000},"idle_ms":{"type":"integer","minimum":100,"maximum":86400000,"default":10000}}};
const schema52 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"path":{"type":"string","minLength":1,"default":"./data/files"},"max_bytes":{"type":"integer","minimum":1024,"maximum":536870912,"default":10485760},"max_total_bytes_per_user":{"type":"integer","minimum":1024,"maximum":1099511627776,"default":1073741824},"max_files_per_user":{"type":"integer","minimum":1,"maximum":10000,"default":1000},"retention_days":{"type":"integer","minimum":1,"maximum":3650,"default":30}}};
const schema54 = {"enum":["every","last"]};
const schema55 = {"enum":["on","off",true,false]};
const schema56 = {"enum":["refuse","describe"]};
const schema57 = {"enum":["total","uncached"]};
const schema58 = {"enum":["reject","drop"]};
const schema59 = {"type":"boolean"};
const schema60 = {"enum":["refuse","message"]};
const schema61 = {"enum":["refuse","accept"]};
const schema62 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"policy":{"enum":["cost","least_load"]},"session_header":{"type":"string","pattern":"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"}}};
const func0 = Object.prototype.hasOwnProperty;
const func3 = equal.default;
const pattern0 = new RegExp("^[a-z][a-z0-9-]{0,31}$", "u");
const pattern1 = new RegExp("^https?://", "u");
const pattern12 = new RegExp("^(sqlite:.+|postgres(ql)?://.+)$", "u");
const pattern13 = new RegExp("^(memory|rediss?://.+)$", "u");
const pattern14 = new RegExp("^https?://[^\\s/?#@]+([/?#]|$)", "u");
const pattern15 = new RegExp("^(?:whsec_)?(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$", "u");
const pattern16 = new RegExp("^(\\*|https?://[^/?#\\s]+)$", "u");
const pattern17 = new RegExp("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", "u");
const pattern33 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$", "u");
const formats0 = FORMATS.uri;
const schema2 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":["object","boolean"],"additionalProperties":false,"properties":{"host":{"type":"string","minLength":1,"default":"127.0.0.1"},"port":{"type":"integer","minimum":0,"maximum":65535,"default":9090},"reuse_port":{"type":"boolean","default":false},"api":{"type":"boolean","default":false},"oidc":{"$ref":"admin-oidc.json"}}};
const schema3 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["issuer","client_id"],"properties":{"issuer":{"$ref":"oidc.json#/$defs/issuer"},"client_id":{"$ref":"oidc.json#/$defs/client_id"},"client_secret":{"$ref":"oidc.json#/$defs/client_secret"},"scopes":{"$ref":"oidc.json#/$defs/scopes","default":["email","profile"]},"user_claim":{"$ref":"oidc.json#/$defs/claim","default":"email"},"users":{"type":"array","maxItems":1000,"items":{"type":"string","minLength":1,"maxLength":255},"default":[]},"groups_claim":{"$ref":"oidc.json#/$defs/claim","default":"groups"},"groups":{"type":"array","maxItems":1000,"items":{"type":"string","minLength":1,"maxLength":255},"default":[]},"label":{"$ref":"oidc.json#/$defs/label"},"redirect_uri":{"$ref":"oidc.json#/$defs/redirect_uri"},"parameters":{"$ref":"oidc.json#/$defs/parameters","default":{}},"timeout_ms":{"$ref":"oidc.json#/$defs/timeout_ms","default":5000}}};
const schema5 = {"type":"string","format":"uri","pattern":"^https?://[^\\s/?#@]+(/[^\\s?#]*)?$"};
const schema6 = {"type":"string","minLength":1,"maxLength":1000};
const schema7 = {"type":"string","minLength":1,"maxLength":1000};
const schema8 = {"type":"array","maxItems":50,"uniqueItems":true,"items":{"type":"string","pattern":"^[!#-\\[\\]-~]{1,200}$"}};
const schema9 = {"type":"string","minLength":1,"maxLength":200};
const schema11 = {"type":"string","minLength":1,"maxLength":100};
const schema12 = {"type":"string","format":"uri","pattern":"^https?://[^\\s/?#@]+/[^\\s?#]*$"};
const schema13 = {"type":"object","maxProperties":20,"additionalProperties":{"type":"string","maxLength":1000}};
const schema14 = {"type":"integer","minimum":100,"maximum":60000};
const pattern3 = new RegExp("^https?://[^\\s/?#@]+(/[^\\s?#]*)?$", "u");
const pattern4 = new RegExp("^[!#-\\[\\]-~]{1,200}$", "u");
const pattern5 = new RegExp("^https?://[^\\s/?#@]+/[^\\s?#]*$", "u");

function validate2(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate2.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.scopes === undefined){
data.scopes = ["email","profile"];
}
if(data.user_claim === undefined){
data.user_claim = "email";
}
if(data.users === undefined){
data.users = [];
}
if(data.groups_claim === undefined){
data.groups_claim = "groups";
}
if(data.groups === undefined){
data.groups = [];
}
if(data.parameters === undefined){
data.parameters = {};
}
if(data.timeout_ms === undefined){
data.timeout_ms = 5000;
}
let missing0;
if(((data.issuer === undefined) && (missing0 = "issuer")) || ((data.client_id === undefined) && (missing0 = "client_id"))){
validate2.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema3.properties, key0))){
validate2.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.issuer !== undefined){
let data0 = data.issuer;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(errors === _errs3){
if(typeof data0 === "string"){
if(!pattern3.test(data0)){
validate2.errors = [{instancePath:instancePath+"/issuer",schemaPath:"oidc.json#/$defs/issuer/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$"}}];
return false;
}
else {
if(!(formats0(data0))){
validate2.errors = [{instancePath:instancePath+"/issuer",schemaPath:"oidc.json#/$defs/issuer/format",keyword:"format",params:{format: "uri"}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/issuer",schemaPath:"oidc.json#/$defs/issuer/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_id !== undefined){
let data1 = data.client_id;
const _errs5 = errors;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data1 === "string"){
if(data1.length > 1000){
validate2.errors = [{instancePath:instancePath+"/client_id",schemaPath:"oidc.json#/$defs/client_id/maxLength",keyword:"maxLength",params:{limit: 1000}}];
return false;
}
else {
if(data1.length < 1){
validate2.errors = [{instancePath:instancePath+"/client_id",schemaPath:"oidc.json#/$defs/client_id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/client_id",schemaPath:"oidc.json#/$defs/client_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_secret !== undefined){
let data2 = data.client_secret;
const _errs8 = errors;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data2 === "string"){
if(data2.length > 1000){
validate2.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"oidc.json#/$defs/client_secret/maxLength",keyword:"maxLength",params:{limit: 1000}}];
return false;
}
else {
if(data2.length < 1){
validate2.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"oidc.json#/$defs/client_secret/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"oidc.json#/$defs/client_secret/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data3 = data.scopes;
const _errs11 = errors;
const _errs12 = errors;
if(errors === _errs12){
if(Array.isArray(data3)){
if(data3.length > 50){
validate2.errors = [{instancePath:instancePath+"/scopes",schemaPath:"oidc.json#/$defs/scopes/maxItems",keyword:"maxItems",params:{limit: 50}}];
return false;
}
else {
var valid5 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs14 = errors;
if(errors === _errs14){
if(typeof data4 === "string"){
if(!pattern4.test(data4)){
validate2.errors = [{instancePath:instancePath+"/scopes/" + i0,schemaPath:"oidc.json#/$defs/scopes/items/pattern",keyword:"pattern",params:{pattern: "^[!#-\\[\\]-~]{1,200}$"}}];
return false;
}
}
else {
validate2.errors = [{instancePath:instancePath+"/scopes/" + i0,schemaPath:"oidc.json#/$defs/scopes/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid5 = _errs14 === errors;
if(!valid5){
break;
}
}
if(valid5){
let i1 = data3.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data3[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate2.errors = [{instancePath:instancePath+"/scopes",schemaPath:"oidc.json#/$defs/scopes/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0}}];
return false;
break;
}
indices0[item0] = i1;
}
}
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/scopes",schemaPath:"oidc.json#/$defs/scopes/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs11 === errors;
if(valid0){
let data5 = data.user_claim;
const _errs16 = errors;
const _errs17 = errors;
if(errors === _errs17){
if(typeof data5 === "string"){
if(data5.length > 200){
validate2.errors = [{instancePath:instancePath+"/user_claim",schemaPath:"oidc.json#/$defs/claim/maxLength",keyword:"maxLength",params:{limit: 200}}];
return false;
}
else {
if(data5.length < 1){
validate2.errors = [{instancePath:instancePath+"/user_claim",schemaPath:"oidc.json#/$defs/claim/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/user_claim",schemaPath:"oidc.json#/$defs/claim/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs16 === errors;
if(valid0){
let data6 = data.users;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data6)){
if(data6.length > 1000){
validate2.errors = [{instancePath:instancePath+"/users",schemaPath:"#/properties/users/maxItems",keyword:"maxItems",params:{limit: 1000}}];
return false;
}
else {
var valid8 = true;
const len1 = data6.length;
for(let i2=0; i2<len1; i2++){
let data7 = data6[i2];
const _errs21 = errors;
if(errors === _errs21){
if(typeof data7 === "string"){
if(data7.length > 255){
validate2.errors = [{instancePath:instancePath+"/users/" + i2,schemaPath:"#/properties/users/items/maxLength",keyword:"maxLength",params:{limit: 255}}];
return false;
}
else {
if(data7.length < 1){
validate2.errors = [{instancePath:instancePath+"/users/" + i2,schemaPath:"#/properties/users/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/users/" + i2,schemaPath:"#/properties/users/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid8 = _errs21 === errors;
if(!valid8){
break;
}
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/users",schemaPath:"#/properties/users/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs19 === errors;
if(valid0){
let data8 = data.groups_claim;
const _errs23 = errors;
const _errs24 = errors;
if(errors === _errs24){
if(typeof data8 === "string"){
if(data8.length > 200){
validate2.errors = [{instancePath:instancePath+"/groups_claim",schemaPath:"oidc.json#/$defs/claim/maxLength",keyword:"maxLength",params:{limit: 200}}];
return false;
}
else {
if(data8.length < 1){
validate2.errors = [{instancePath:instancePath+"/groups_claim",schemaPath:"oidc.json#/$defs/claim/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/groups_claim",schemaPath:"oidc.json#/$defs/claim/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs23 === errors;
if(valid0){
let data9 = data.groups;
const _errs26 = errors;
if(errors === _errs26){
if(Array.isArray(data9)){
if(data9.length > 1000){
validate2.errors = [{instancePath:instancePath+"/groups",schemaPath:"#/properties/groups/maxItems",keyword:"maxItems",params:{limit: 1000}}];
return false;
}
else {
var valid10 = true;
const len2 = data9.length;
for(let i3=0; i3<len2; i3++){
let data10 = data9[i3];
const _errs28 = errors;
if(errors === _errs28){
if(typeof data10 === "string"){
if(data10.length > 255){
validate2.errors = [{instancePath:instancePath+"/groups/" + i3,schemaPath:"#/properties/groups/items/maxLength",keyword:"maxLength",params:{limit: 255}}];
return false;
}
else {
if(data10.length < 1){
validate2.errors = [{instancePath:instancePath+"/groups/" + i3,schemaPath:"#/properties/groups/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/groups/" + i3,schemaPath:"#/properties/groups/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid10 = _errs28 === errors;
if(!valid10){
break;
}
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/groups",schemaPath:"#/properties/groups/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs26 === errors;
if(valid0){
if(data.label !== undefined){
let data11 = data.label;
const _errs30 = errors;
const _errs31 = errors;
if(errors === _errs31){
if(typeof data11 === "string"){
if(data11.length > 100){
validate2.errors = [{instancePath:instancePath+"/label",schemaPath:"oidc.json#/$defs/label/maxLength",keyword:"maxLength",params:{limit: 100}}];
return false;
}
else {
if(data11.length < 1){
validate2.errors = [{instancePath:instancePath+"/label",schemaPath:"oidc.json#/$defs/label/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/label",schemaPath:"oidc.json#/$defs/label/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.redirect_uri !== undefined){
let data12 = data.redirect_uri;
const _errs33 = errors;
const _errs34 = errors;
if(errors === _errs34){
if(errors === _errs34){
if(typeof data12 === "string"){
if(!pattern5.test(data12)){
validate2.errors = [{instancePath:instancePath+"/redirect_uri",schemaPath:"oidc.json#/$defs/redirect_uri/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s/?#@]+/[^\\s?#]*$"}}];
return false;
}
else {
if(!(formats0(data12))){
validate2.errors = [{instancePath:instancePath+"/redirect_uri",schemaPath:"oidc.json#/$defs/redirect_uri/format",keyword:"format",params:{format: "uri"}}];
return false;
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/redirect_uri",schemaPath:"oidc.json#/$defs/redirect_uri/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data13 = data.parameters;
const _errs36 = errors;
const _errs37 = errors;
if(errors === _errs37){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if(Object.keys(data13).length > 20){
validate2.errors = [{instancePath:instancePath+"/parameters",schemaPath:"oidc.json#/$defs/parameters/maxProperties",keyword:"maxProperties",params:{limit: 20}}];
return false;
}
else {
for(const key1 in data13){
let data14 = data13[key1];
const _errs40 = errors;
if(errors === _errs40){
if(typeof data14 === "string"){
if(data14.length > 1000){
validate2.errors = [{instancePath:instancePath+"/parameters/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"oidc.json#/$defs/parameters/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 1000}}];
return false;
}
}
else {
validate2.errors = [{instancePath:instancePath+"/parameters/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"oidc.json#/$defs/parameters/additionalProperties/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid14 = _errs40 === errors;
if(!valid14){
break;
}
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/parameters",schemaPath:"oidc.json#/$defs/parameters/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs36 === errors;
if(valid0){
let data15 = data.timeout_ms;
const _errs42 = errors;
const _errs43 = errors;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
validate2.errors = [{instancePath:instancePath+"/timeout_ms",schemaPath:"oidc.json#/$defs/timeout_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs43){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 60000 || isNaN(data15)){
validate2.errors = [{instancePath:instancePath+"/timeout_ms",schemaPath:"oidc.json#/$defs/timeout_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000}}];
return false;
}
else {
if(data15 < 100 || isNaN(data15)){
validate2.errors = [{instancePath:instancePath+"/timeout_ms",schemaPath:"oidc.json#/$defs/timeout_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100}}];
return false;
}
}
}
}
var valid0 = _errs42 === errors;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate2.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate2.errors = vErrors;
return errors === 0;
}
validate2.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate1(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate1.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((!(data && typeof data == "object" && !Array.isArray(data))) && (typeof data !== "boolean")){
validate1.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema2.type}}];
return false;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.host === undefined){
data.host = "127.0.0.1";
}
if(data.port === undefined){
data.port = 9090;
}
if(data.reuse_port === undefined){
data.reuse_port = false;
}
if(data.api === undefined){
data.api = false;
}
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "host") || (key0 === "port")) || (key0 === "reuse_port")) || (key0 === "api")) || (key0 === "oidc"))){
validate1.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
let data0 = data.host;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
validate1.errors = [{instancePath:instancePath+"/host",schemaPath:"#/properties/host/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate1.errors = [{instancePath:instancePath+"/host",schemaPath:"#/properties/host/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
if(valid0){
let data1 = data.port;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate1.errors = [{instancePath:instancePath+"/port",schemaPath:"#/properties/port/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 65535 || isNaN(data1)){
validate1.errors = [{instancePath:instancePath+"/port",schemaPath:"#/properties/port/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}}];
return false;
}
else {
if(data1 < 0 || isNaN(data1)){
validate1.errors = [{instancePath:instancePath+"/port",schemaPath:"#/properties/port/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs4 === errors;
if(valid0){
const _errs6 = errors;
if(typeof data.reuse_port !== "boolean"){
validate1.errors = [{instancePath:instancePath+"/reuse_port",schemaPath:"#/properties/reuse_port/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs6 === errors;
if(valid0){
const _errs8 = errors;
if(typeof data.api !== "boolean"){
validate1.errors = [{instancePath:instancePath+"/api",schemaPath:"#/properties/api/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs8 === errors;
if(valid0){
if(data.oidc !== undefined){
const _errs10 = errors;
if(!(validate2.call(this, data.oidc, {instancePath:instancePath+"/oidc",parentData:data,parentDataProperty:"oidc",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate2.errors : vErrors.concat(validate2.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
validate1.errors = vErrors;
return errors === 0;
}
validate1.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema15 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"oidc":{"$ref":"console-oidc.json"}}};
const schema16 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["issuer","client_id"],"properties":{"issuer":{"$ref":"oidc.json#/$defs/issuer"},"client_id":{"$ref":"oidc.json#/$defs/client_id"},"client_secret":{"$ref":"oidc.json#/$defs/client_secret"},"scopes":{"$ref":"oidc.json#/$defs/scopes","default":["email","profile"]},"user_claim":{"$ref":"oidc.json#/$defs/claim","default":"email"},"allowed_domains":{"type":"array","maxItems":1000,"items":{"type":"string","pattern":"^[a-zA-Z0-9-]+(\\.[a-zA-Z0-9-]+)*$"},"default":[]},"label":{"$ref":"oidc.json#/$defs/label"},"redirect_uri":{"$ref":"oidc.json#/$defs/redirect_uri"},"parameters":{"$ref":"oidc.json#/$defs/parameters","default":{}},"timeout_ms":{"$ref":"oidc.json#/$defs/timeout_ms","default":5000}}};
const pattern8 = new RegExp("^[a-zA-Z0-9-]+(\\.[a-zA-Z0-9-]+)*$", "u");

function validate7(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate7.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.scopes === undefined){
data.scopes = ["email","profile"];
}
if(data.user_claim === undefined){
data.user_claim = "email";
}
if(data.allowed_domains === undefined){
data.allowed_domains = [];
}
if(data.parameters === undefined){
data.parameters = {};
}
if(data.timeout_ms === undefined){
data.timeout_ms = 5000;
}
let missing0;
if(((data.issuer === undefined) && (missing0 = "issuer")) || ((data.client_id === undefined) && (missing0 = "client_id"))){
validate7.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema16.properties, key0))){
validate7.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.issuer !== undefined){
let data0 = data.issuer;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(errors === _errs3){
if(typeof data0 === "string"){
if(!pattern3.test(data0)){
validate7.errors = [{instancePath:instancePath+"/issuer",schemaPath:"oidc.json#/$defs/issuer/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$"}}];
return false;
}
else {
if(!(formats0(data0))){
validate7.errors = [{instancePath:instancePath+"/issuer",schemaPath:"oidc.json#/$defs/issuer/format",keyword:"format",params:{format: "uri"}}];
return false;
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/issuer",schemaPath:"oidc.json#/$defs/issuer/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_id !== undefined){
let data1 = data.client_id;
const _errs5 = errors;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data1 === "string"){
if(data1.length > 1000){
validate7.errors = [{instancePath:instancePath+"/client_id",schemaPath:"oidc.json#/$defs/client_id/maxLength",keyword:"maxLength",params:{limit: 1000}}];
return false;
}
else {
if(data1.length < 1){
validate7.errors = [{instancePath:instancePath+"/client_id",schemaPath:"oidc.json#/$defs/client_id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/client_id",schemaPath:"oidc.json#/$defs/client_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_secret !== undefined){
let data2 = data.client_secret;
const _errs8 = errors;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data2 === "string"){
if(data2.length > 1000){
validate7.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"oidc.json#/$defs/client_secret/maxLength",keyword:"maxLength",params:{limit: 1000}}];
return false;
}
else {
if(data2.length < 1){
validate7.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"oidc.json#/$defs/client_secret/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"oidc.json#/$defs/client_secret/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data3 = data.scopes;
const _errs11 = errors;
const _errs12 = errors;
if(errors === _errs12){
if(Array.isArray(data3)){
if(data3.length > 50){
validate7.errors = [{instancePath:instancePath+"/scopes",schemaPath:"oidc.json#/$defs/scopes/maxItems",keyword:"maxItems",params:{limit: 50}}];
return false;
}
else {
var valid5 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs14 = errors;
if(errors === _errs14){
if(typeof data4 === "string"){
if(!pattern4.test(data4)){
validate7.errors = [{instancePath:instancePath+"/scopes/" + i0,schemaPath:"oidc.json#/$defs/scopes/items/pattern",keyword:"pattern",params:{pattern: "^[!#-\\[\\]-~]{1,200}$"}}];
return false;
}
}
else {
validate7.errors = [{instancePath:instancePath+"/scopes/" + i0,schemaPath:"oidc.json#/$defs/scopes/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid5 = _errs14 === errors;
if(!valid5){
break;
}
}
if(valid5){
let i1 = data3.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data3[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate7.errors = [{instancePath:instancePath+"/scopes",schemaPath:"oidc.json#/$defs/scopes/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0}}];
return false;
break;
}
indices0[item0] = i1;
}
}
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/scopes",schemaPath:"oidc.json#/$defs/scopes/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs11 === errors;
if(valid0){
let data5 = data.user_claim;
const _errs16 = errors;
const _errs17 = errors;
if(errors === _errs17){
if(typeof data5 === "string"){
if(data5.length > 200){
validate7.errors = [{instancePath:instancePath+"/user_claim",schemaPath:"oidc.json#/$defs/claim/maxLength",keyword:"maxLength",params:{limit: 200}}];
return false;
}
else {
if(data5.length < 1){
validate7.errors = [{instancePath:instancePath+"/user_claim",schemaPath:"oidc.json#/$defs/claim/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/user_claim",schemaPath:"oidc.json#/$defs/claim/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs16 === errors;
if(valid0){
let data6 = data.allowed_domains;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data6)){
if(data6.length > 1000){
validate7.errors = [{instancePath:instancePath+"/allowed_domains",schemaPath:"#/properties/allowed_domains/maxItems",keyword:"maxItems",params:{limit: 1000}}];
return false;
}
else {
var valid8 = true;
const len1 = data6.length;
for(let i2=0; i2<len1; i2++){
let data7 = data6[i2];
const _errs21 = errors;
if(errors === _errs21){
if(typeof data7 === "string"){
if(!pattern8.test(data7)){
validate7.errors = [{instancePath:instancePath+"/allowed_domains/" + i2,schemaPath:"#/properties/allowed_domains/items/pattern",keyword:"pattern",params:{pattern: "^[a-zA-Z0-9-]+(\\.[a-zA-Z0-9-]+)*$"}}];
return false;
}
}
else {
validate7.errors = [{instancePath:instancePath+"/allowed_domains/" + i2,schemaPath:"#/properties/allowed_domains/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid8 = _errs21 === errors;
if(!valid8){
break;
}
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/allowed_domains",schemaPath:"#/properties/allowed_domains/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs19 === errors;
if(valid0){
if(data.label !== undefined){
let data8 = data.label;
const _errs23 = errors;
const _errs24 = errors;
if(errors === _errs24){
if(typeof data8 === "string"){
if(data8.length > 100){
validate7.errors = [{instancePath:instancePath+"/label",schemaPath:"oidc.json#/$defs/label/maxLength",keyword:"maxLength",params:{limit: 100}}];
return false;
}
else {
if(data8.length < 1){
validate7.errors = [{instancePath:instancePath+"/label",schemaPath:"oidc.json#/$defs/label/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/label",schemaPath:"oidc.json#/$defs/label/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.redirect_uri !== undefined){
let data9 = data.redirect_uri;
const _errs26 = errors;
const _errs27 = errors;
if(errors === _errs27){
if(errors === _errs27){
if(typeof data9 === "string"){
if(!pattern5.test(data9)){
validate7.errors = [{instancePath:instancePath+"/redirect_uri",schemaPath:"oidc.json#/$defs/redirect_uri/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s/?#@]+/[^\\s?#]*$"}}];
return false;
}
else {
if(!(formats0(data9))){
validate7.errors = [{instancePath:instancePath+"/redirect_uri",schemaPath:"oidc.json#/$defs/redirect_uri/format",keyword:"format",params:{format: "uri"}}];
return false;
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/redirect_uri",schemaPath:"oidc.json#/$defs/redirect_uri/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data10 = data.parameters;
const _errs29 = errors;
const _errs30 = errors;
if(errors === _errs30){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(Object.keys(data10).length > 20){
validate7.errors = [{instancePath:instancePath+"/parameters",schemaPath:"oidc.json#/$defs/parameters/maxProperties",keyword:"maxProperties",params:{limit: 20}}];
return false;
}
else {
for(const key1 in data10){
let data11 = data10[key1];
const _errs33 = errors;
if(errors === _errs33){
if(typeof data11 === "string"){
if(data11.length > 1000){
validate7.errors = [{instancePath:instancePath+"/parameters/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"oidc.json#/$defs/parameters/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 1000}}];
return false;
}
}
else {
validate7.errors = [{instancePath:instancePath+"/parameters/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"oidc.json#/$defs/parameters/additionalProperties/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid12 = _errs33 === errors;
if(!valid12){
break;
}
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/parameters",schemaPath:"oidc.json#/$defs/parameters/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs29 === errors;
if(valid0){
let data12 = data.timeout_ms;
const _errs35 = errors;
const _errs36 = errors;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
validate7.errors = [{instancePath:instancePath+"/timeout_ms",schemaPath:"oidc.json#/$defs/timeout_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs36){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 60000 || isNaN(data12)){
validate7.errors = [{instancePath:instancePath+"/timeout_ms",schemaPath:"oidc.json#/$defs/timeout_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000}}];
return false;
}
else {
if(data12 < 100 || isNaN(data12)){
validate7.errors = [{instancePath:instancePath+"/timeout_ms",schemaPath:"oidc.json#/$defs/timeout_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100}}];
return false;
}
}
}
}
var valid0 = _errs35 === errors;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate7.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate7.errors = vErrors;
return errors === 0;
}
validate7.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate6(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate6.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "oidc")){
validate6.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.oidc !== undefined){
if(!(validate7.call(this, data.oidc, {instancePath:instancePath+"/oidc",parentData:data,parentDataProperty:"oidc",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
}
}
}
else {
validate6.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate6.errors = vErrors;
return errors === 0;
}
validate6.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema26 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"gateway":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/host"}},"api":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/host"}}},"$defs":{"host":{"type":"string","pattern":"^([A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\\[[0-9A-Fa-f:.]+\\])$"}}};
const schema27 = {"type":"string","pattern":"^([A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\\[[0-9A-Fa-f:.]+\\])$"};
const pattern10 = new RegExp("^([A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\\[[0-9A-Fa-f:.]+\\])$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate10.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "gateway") || (key0 === "api"))){
validate10.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.gateway !== undefined){
let data0 = data.gateway;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length < 1){
validate10.errors = [{instancePath:instancePath+"/gateway",schemaPath:"#/properties/gateway/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(!pattern10.test(data1)){
validate10.errors = [{instancePath:instancePath+"/gateway/" + i0,schemaPath:"#/$defs/host/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\\[[0-9A-Fa-f:.]+\\])$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gateway/" + i0,schemaPath:"#/$defs/host/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gateway",schemaPath:"#/properties/gateway/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.api !== undefined){
let data2 = data.api;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data2)){
if(data2.length < 1){
validate10.errors = [{instancePath:instancePath+"/api",schemaPath:"#/properties/api/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid3 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
let data3 = data2[i1];
const _errs9 = errors;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data3 === "string"){
if(!pattern10.test(data3)){
validate10.errors = [{instancePath:instancePath+"/api/" + i1,schemaPath:"#/$defs/host/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\\[[0-9A-Fa-f:.]+\\])$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/api/" + i1,schemaPath:"#/$defs/host/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid3 = _errs9 === errors;
if(!valid3){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/api",schemaPath:"#/properties/api/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}
validate10.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema30 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"headers_ms":{"$ref":"#/$defs/milliseconds","default":60000},"request_ms":{"$ref":"#/$defs/milliseconds","default":300000},"connect_ms":{"$ref":"#/$defs/milliseconds","default":2000},"first_byte_ms":{"$ref":"#/$defs/milliseconds","default":600000},"idle_ms":{"$ref":"#/$defs/milliseconds","default":120000},"client_idle_ms":{"$ref":"#/$defs/milliseconds","default":120000},"keep_alive_ms":{"$ref":"#/$defs/milliseconds","default":15000}},"$defs":{"milliseconds":{"type":"integer","minimum":1,"maximum":86400000}}};
const schema31 = {"type":"integer","minimum":1,"maximum":86400000};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate12.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.headers_ms === undefined){
data.headers_ms = 60000;
}
if(data.request_ms === undefined){
data.request_ms = 300000;
}
if(data.connect_ms === undefined){
data.connect_ms = 2000;
}
if(data.first_byte_ms === undefined){
data.first_byte_ms = 600000;
}
if(data.idle_ms === undefined){
data.idle_ms = 120000;
}
if(data.client_idle_ms === undefined){
data.client_idle_ms = 120000;
}
if(data.keep_alive_ms === undefined){
data.keep_alive_ms = 15000;
}
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "headers_ms") || (key0 === "request_ms")) || (key0 === "connect_ms")) || (key0 === "first_byte_ms")) || (key0 === "idle_ms")) || (key0 === "client_idle_ms")) || (key0 === "keep_alive_ms"))){
validate12.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
let data0 = data.headers_ms;
const _errs2 = errors;
const _errs3 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate12.errors = [{instancePath:instancePath+"/headers_ms",schemaPath:"#/$defs/milliseconds/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs3){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 86400000 || isNaN(data0)){
validate12.errors = [{instancePath:instancePath+"/headers_ms",schemaPath:"#/$defs/milliseconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400000}}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate12.errors = [{instancePath:instancePath+"/headers_ms",schemaPath:"#/$defs/milliseconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs2 === errors;
if(valid0){
let data1 = data.request_ms;
const _errs5 = errors;
const _errs6 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate12.errors = [{instancePath:instancePath+"/request_ms",schemaPath:"#/$defs/milliseconds/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs6){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 86400000 || isNaN(data1)){
validate12.errors = [{instancePath:instancePath+"/request_ms",schemaPath:"#/$defs/milliseconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400000}}];
return false;
}
else {
if(data1 < 1 || isNaN(data1)){
validate12.errors = [{instancePath:instancePath+"/request_ms",schemaPath:"#/$defs/milliseconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs5 === errors;
if(valid0){
let data2 = data.connect_ms;
const _errs8 = errors;
const _errs9 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate12.errors = [{instancePath:instancePath+"/connect_ms",schemaPath:"#/$defs/milliseconds/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs9){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 86400000 || isNaN(data2)){
validate12.errors = [{instancePath:instancePath+"/connect_ms",schemaPath:"#/$defs/milliseconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400000}}];
return false;
}
else {
if(data2 < 1 || isNaN(data2)){
validate12.errors = [{instancePath:instancePath+"/connect_ms",schemaPath:"#/$defs/milliseconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs8 === errors;
if(valid0){
let data3 = data.first_byte_ms;
const _errs11 = errors;
const _errs12 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate12.errors = [{instancePath:instancePath+"/first_byte_ms",schemaPath:"#/$defs/milliseconds/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs12){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 86400000 || isNaN(data3)){
validate12.errors = [{instancePath:instancePath+"/first_byte_ms",schemaPath:"#/$defs/milliseconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400000}}];
return false;
}
else {
if(data3 < 1 || isNaN(data3)){
validate12.errors = [{instancePath:instancePath+"/first_byte_ms",schemaPath:"#/$defs/milliseconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs11 === errors;
if(valid0){
let data4 = data.idle_ms;
const _errs14 = errors;
const _errs15 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate12.errors = [{instancePath:instancePath+"/idle_ms",schemaPath:"#/$defs/milliseconds/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs15){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 86400000 || isNaN(data4)){
validate12.errors = [{instancePath:instancePath+"/idle_ms",schemaPath:"#/$defs/milliseconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400000}}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate12.errors = [{instancePath:instancePath+"/idle_ms",schemaPath:"#/$defs/milliseconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs14 === errors;
if(valid0){
let data5 = data.client_idle_ms;
const _errs17 = errors;
const _errs18 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate12.errors = [{instancePath:instancePath+"/client_idle_ms",schemaPath:"#/$defs/milliseconds/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs18){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 86400000 || isNaN(data5)){
validate12.errors = [{instancePath:instancePath+"/client_idle_ms",schemaPath:"#/$defs/milliseconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400000}}];
return false;
}
else {
if(data5 < 1 || isNaN(data5)){
validate12.errors = [{instancePath:instancePath+"/client_idle_ms",schemaPath:"#/$defs/milliseconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs17 === errors;
if(valid0){
let data6 = data.keep_alive_ms;
const _errs20 = errors;
const _errs21 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate12.errors = [{instancePath:instancePath+"/keep_alive_ms",schemaPath:"#/$defs/milliseconds/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs21){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 86400000 || isNaN(data6)){
validate12.errors = [{instancePath:instancePath+"/keep_alive_ms",schemaPath:"#/$defs/milliseconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400000}}];
return false;
}
else {
if(data6 < 1 || isNaN(data6)){
validate12.errors = [{instancePath:instancePath+"/keep_alive_ms",schemaPath:"#/$defs/milliseconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs20 === errors;
}
}
}
}
}
}
}
}
else {
validate12.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate12.errors = vErrors;
return errors === 0;
}
validate12.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema38 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"connections_per_address":{"$ref":"#/$defs/bound"},"requests_per_key":{"$ref":"#/$defs/bound"},"requests_per_account":{"$ref":"#/$defs/bound"},"bodies_per_key":{"$ref":"#/$defs/bound"},"bodies_per_account":{"$ref":"#/$defs/bound"}},"$defs":{"bound":{"type":"integer","minimum":1,"maximum":10000000}}};
const schema39 = {"type":"integer","minimum":1,"maximum":10000000};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate14.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "connections_per_address") || (key0 === "requests_per_key")) || (key0 === "requests_per_account")) || (key0 === "bodies_per_key")) || (key0 === "bodies_per_account"))){
validate14.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.connections_per_address !== undefined){
let data0 = data.connections_per_address;
const _errs2 = errors;
const _errs3 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate14.errors = [{instancePath:instancePath+"/connections_per_address",schemaPath:"#/$defs/bound/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs3){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 10000000 || isNaN(data0)){
validate14.errors = [{instancePath:instancePath+"/connections_per_address",schemaPath:"#/$defs/bound/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000}}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate14.errors = [{instancePath:instancePath+"/connections_per_address",schemaPath:"#/$defs/bound/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requests_per_key !== undefined){
let data1 = data.requests_per_key;
const _errs5 = errors;
const _errs6 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate14.errors = [{instancePath:instancePath+"/requests_per_key",schemaPath:"#/$defs/bound/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs6){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 10000000 || isNaN(data1)){
validate14.errors = [{instancePath:instancePath+"/requests_per_key",schemaPath:"#/$defs/bound/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000}}];
return false;
}
else {
if(data1 < 1 || isNaN(data1)){
validate14.errors = [{instancePath:instancePath+"/requests_per_key",schemaPath:"#/$defs/bound/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requests_per_account !== undefined){
let data2 = data.requests_per_account;
const _errs8 = errors;
const _errs9 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate14.errors = [{instancePath:instancePath+"/requests_per_account",schemaPath:"#/$defs/bound/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs9){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 10000000 || isNaN(data2)){
validate14.errors = [{instancePath:instancePath+"/requests_per_account",schemaPath:"#/$defs/bound/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000}}];
return false;
}
else {
if(data2 < 1 || isNaN(data2)){
validate14.errors = [{instancePath:instancePath+"/requests_per_account",schemaPath:"#/$defs/bound/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.bodies_per_key !== undefined){
let data3 = data.bodies_per_key;
const _errs11 = errors;
const _errs12 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate14.errors = [{instancePath:instancePath+"/bodies_per_key",schemaPath:"#/$defs/bound/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs12){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 10000000 || isNaN(data3)){
validate14.errors = [{instancePath:instancePath+"/bodies_per_key",schemaPath:"#/$defs/bound/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000}}];
return false;
}
else {
if(data3 < 1 || isNaN(data3)){
validate14.errors = [{instancePath:instancePath+"/bodies_per_key",schemaPath:"#/$defs/bound/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.bodies_per_account !== undefined){
let data4 = data.bodies_per_account;
const _errs14 = errors;
const _errs15 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate14.errors = [{instancePath:instancePath+"/bodies_per_account",schemaPath:"#/$defs/bound/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs15){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 10000000 || isNaN(data4)){
validate14.errors = [{instancePath:instancePath+"/bodies_per_account",schemaPath:"#/$defs/bound/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000}}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate14.errors = [{instancePath:instancePath+"/bodies_per_account",schemaPath:"#/$defs/bound/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate14.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate14.errors = vErrors;
return errors === 0;
}
validate14.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema45 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"endpoints":{"$ref":"#/$defs/rate","default":20},"metrics":{"$ref":"#/$defs/rate","default":20},"requests":{"$ref":"#/$defs/rate","default":30},"request":{"$ref":"#/$defs/rate","default":30},"usage":{"$ref":"#/$defs/rate","default":60},"files":{"$ref":"#/$defs/rate","default":120}},"$defs":{"rate":{"type":"integer","minimum":1,"maximum":1000000}}};
const schema46 = {"type":"integer","minimum":1,"maximum":1000000};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate16.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.endpoints === undefined){
data.endpoints = 20;
}
if(data.metrics === undefined){
data.metrics = 20;
}
if(data.requests === undefined){
data.requests = 30;
}
if(data.request === undefined){
data.request = 30;
}
if(data.usage === undefined){
data.usage = 60;
}
if(data.files === undefined){
data.files = 120;
}
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "endpoints") || (key0 === "metrics")) || (key0 === "requests")) || (key0 === "request")) || (key0 === "usage")) || (key0 === "files"))){
validate16.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
let data0 = data.endpoints;
const _errs2 = errors;
const _errs3 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate16.errors = [{instancePath:instancePath+"/endpoints",schemaPath:"#/$defs/rate/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs3){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 1000000 || isNaN(data0)){
validate16.errors = [{instancePath:instancePath+"/endpoints",schemaPath:"#/$defs/rate/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate16.errors = [{instancePath:instancePath+"/endpoints",schemaPath:"#/$defs/rate/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs2 === errors;
if(valid0){
let data1 = data.metrics;
const _errs5 = errors;
const _errs6 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate16.errors = [{instancePath:instancePath+"/metrics",schemaPath:"#/$defs/rate/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs6){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 1000000 || isNaN(data1)){
validate16.errors = [{instancePath:instancePath+"/metrics",schemaPath:"#/$defs/rate/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data1 < 1 || isNaN(data1)){
validate16.errors = [{instancePath:instancePath+"/metrics",schemaPath:"#/$defs/rate/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs5 === errors;
if(valid0){
let data2 = data.requests;
const _errs8 = errors;
const _errs9 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate16.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/$defs/rate/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs9){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 1000000 || isNaN(data2)){
validate16.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/$defs/rate/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data2 < 1 || isNaN(data2)){
validate16.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/$defs/rate/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs8 === errors;
if(valid0){
let data3 = data.request;
const _errs11 = errors;
const _errs12 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate16.errors = [{instancePath:instancePath+"/request",schemaPath:"#/$defs/rate/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs12){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 1000000 || isNaN(data3)){
validate16.errors = [{instancePath:instancePath+"/request",schemaPath:"#/$defs/rate/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data3 < 1 || isNaN(data3)){
validate16.errors = [{instancePath:instancePath+"/request",schemaPath:"#/$defs/rate/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs11 === errors;
if(valid0){
let data4 = data.usage;
const _errs14 = errors;
const _errs15 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate16.errors = [{instancePath:instancePath+"/usage",schemaPath:"#/$defs/rate/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs15){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 1000000 || isNaN(data4)){
validate16.errors = [{instancePath:instancePath+"/usage",schemaPath:"#/$defs/rate/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate16.errors = [{instancePath:instancePath+"/usage",schemaPath:"#/$defs/rate/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs14 === errors;
if(valid0){
let data5 = data.files;
const _errs17 = errors;
const _errs18 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate16.errors = [{instancePath:instancePath+"/files",schemaPath:"#/$defs/rate/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs18){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 1000000 || isNaN(data5)){
validate16.errors = [{instancePath:instancePath+"/files",schemaPath:"#/$defs/rate/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data5 < 1 || isNaN(data5)){
validate16.errors = [{instancePath:instancePath+"/files",schemaPath:"#/$defs/rate/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs17 === errors;
}
}
}
}
}
}
}
else {
validate16.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate16.errors = vErrors;
return errors === 0;
}
validate16.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema63 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":["array","object"],"minItems":1,"items":{"$ref":"plugin.json"},"additionalProperties":false,"required":["base"],"properties":{"base":{"enum":["default"]},"off":{"type":"array","uniqueItems":true,"items":{"type":"string"},"default":[]},"options":{"type":"object","additionalProperties":{"type":"object"},"default":{}},"add":{"type":"array","items":{"$ref":"plugin-addition.json"},"default":[]}}};
const schema64 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["use"],"properties":{"use":{"type":"string","minLength":1},"enabled":{"type":"boolean","default":true},"options":{"type":"object","default":{}}}};
const schema65 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["use"],"properties":{"use":{"type":"string","minLength":1},"after":{"type":"string","minLength":1},"before":{"type":"string","minLength":1},"options":{"type":"object","default":{}}}};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate19.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!data || typeof data != "object"){
validate19.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema63.type}}];
return false;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length < 1){
validate19.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.enabled === undefined){
data0.enabled = true;
}
if(data0.options === undefined){
data0.options = {};
}
let missing0;
if((data0.use === undefined) && (missing0 = "use")){
validate19.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"plugin.json/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs4 = errors;
for(const key0 in data0){
if(!(((key0 === "use") || (key0 === "enabled")) || (key0 === "options"))){
validate19.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"plugin.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs4 === errors){
if(data0.use !== undefined){
let data1 = data0.use;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(data1.length < 1){
validate19.errors = [{instancePath:instancePath+"/" + i0+"/use",schemaPath:"plugin.json/properties/use/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate19.errors = [{instancePath:instancePath+"/" + i0+"/use",schemaPath:"plugin.json/properties/use/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
const _errs7 = errors;
if(typeof data0.enabled !== "boolean"){
validate19.errors = [{instancePath:instancePath+"/" + i0+"/enabled",schemaPath:"plugin.json/properties/enabled/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs7 === errors;
if(valid2){
let data3 = data0.options;
const _errs9 = errors;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
validate19.errors = [{instancePath:instancePath+"/" + i0+"/options",schemaPath:"plugin.json/properties/options/type",keyword:"type",params:{type: "object"}}];
return false;
}
var valid2 = _errs9 === errors;
}
}
}
}
}
else {
validate19.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"plugin.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.off === undefined){
data.off = [];
}
if(data.options === undefined){
data.options = {};
}
if(data.add === undefined){
data.add = [];
}
let missing1;
if((data.base === undefined) && (missing1 = "base")){
validate19.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
const _errs11 = errors;
for(const key1 in data){
if(!((((key1 === "base") || (key1 === "off")) || (key1 === "options")) || (key1 === "add"))){
validate19.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs11 === errors){
if(data.base !== undefined){
const _errs12 = errors;
if(!(data.base === "default")){
validate19.errors = [{instancePath:instancePath+"/base",schemaPath:"#/properties/base/enum",keyword:"enum",params:{allowedValues: schema63.properties.base.enum}}];
return false;
}
var valid3 = _errs12 === errors;
}
else {
var valid3 = true;
}
if(valid3){
let data5 = data.off;
const _errs13 = errors;
if(errors === _errs13){
if(Array.isArray(data5)){
var valid4 = true;
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
const _errs15 = errors;
if(typeof data5[i1] !== "string"){
validate19.errors = [{instancePath:instancePath+"/off/" + i1,schemaPath:"#/properties/off/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid4 = _errs15 === errors;
if(!valid4){
break;
}
}
if(valid4){
let i2 = data5.length;
let j0;
if(i2 > 1){
const indices0 = {};
for(;i2--;){
let item0 = data5[i2];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate19.errors = [{instancePath:instancePath+"/off",schemaPath:"#/properties/off/uniqueItems",keyword:"uniqueItems",params:{i: i2, j: j0}}];
return false;
break;
}
indices0[item0] = i2;
}
}
}
}
else {
validate19.errors = [{instancePath:instancePath+"/off",schemaPath:"#/properties/off/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs13 === errors;
if(valid3){
let data7 = data.options;
const _errs17 = errors;
if(errors === _errs17){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key2 in data7){
let data8 = data7[key2];
const _errs20 = errors;
if(!(data8 && typeof data8 == "object" && !Array.isArray(data8))){
validate19.errors = [{instancePath:instancePath+"/options/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/options/additionalProperties/type",keyword:"type",params:{type: "object"}}];
return false;
}
var valid6 = _errs20 === errors;
if(!valid6){
break;
}
}
}
else {
validate19.errors = [{instancePath:instancePath+"/options",schemaPath:"#/properties/options/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid3 = _errs17 === errors;
if(valid3){
let data9 = data.add;
const _errs22 = errors;
if(errors === _errs22){
if(Array.isArray(data9)){
var valid7 = true;
const len2 = data9.length;
for(let i3=0; i3<len2; i3++){
let data10 = data9[i3];
const _errs24 = errors;
const _errs25 = errors;
if(errors === _errs25){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.options === undefined){
data10.options = {};
}
let missing2;
if((data10.use === undefined) && (missing2 = "use")){
validate19.errors = [{instancePath:instancePath+"/add/" + i3,schemaPath:"plugin-addition.json/required",keyword:"required",params:{missingProperty: missing2}}];
return false;
}
else {
const _errs27 = errors;
for(const key3 in data10){
if(!((((key3 === "use") || (key3 === "after")) || (key3 === "before")) || (key3 === "options"))){
validate19.errors = [{instancePath:instancePath+"/add/" + i3,schemaPath:"plugin-addition.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
if(_errs27 === errors){
if(data10.use !== undefined){
let data11 = data10.use;
const _errs28 = errors;
if(errors === _errs28){
if(typeof data11 === "string"){
if(data11.length < 1){
validate19.errors = [{instancePath:instancePath+"/add/" + i3+"/use",schemaPath:"plugin-addition.json/properties/use/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate19.errors = [{instancePath:instancePath+"/add/" + i3+"/use",schemaPath:"plugin-addition.json/properties/use/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid9 = _errs28 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data10.after !== undefined){
let data12 = data10.after;
const _errs30 = errors;
if(errors === _errs30){
if(typeof data12 === "string"){
if(data12.length < 1){
validate19.errors = [{instancePath:instancePath+"/add/" + i3+"/after",schemaPath:"plugin-addition.json/properties/after/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate19.errors = [{instancePath:instancePath+"/add/" + i3+"/after",schemaPath:"plugin-addition.json/properties/after/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid9 = _errs30 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data10.before !== undefined){
let data13 = data10.before;
const _errs32 = errors;
if(errors === _errs32){
if(typeof data13 === "string"){
if(data13.length < 1){
validate19.errors = [{instancePath:instancePath+"/add/" + i3+"/before",schemaPath:"plugin-addition.json/properties/before/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate19.errors = [{instancePath:instancePath+"/add/" + i3+"/before",schemaPath:"plugin-addition.json/properties/before/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid9 = _errs32 === errors;
}
else {
var valid9 = true;
}
if(valid9){
let data14 = data10.options;
const _errs34 = errors;
if(!(data14 && typeof data14 == "object" && !Array.isArray(data14))){
validate19.errors = [{instancePath:instancePath+"/add/" + i3+"/options",schemaPath:"plugin-addition.json/properties/options/type",keyword:"type",params:{type: "object"}}];
return false;
}
var valid9 = _errs34 === errors;
}
}
}
}
}
}
else {
validate19.errors = [{instancePath:instancePath+"/add/" + i3,schemaPath:"plugin-addition.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid7 = _errs24 === errors;
if(!valid7){
break;
}
}
}
else {
validate19.errors = [{instancePath:instancePath+"/add",schemaPath:"#/properties/add/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs22 === errors;
}
}
}
}
}
}
}
}
validate19.errors = vErrors;
return errors === 0;
}
validate19.evaluated = {"props":true,"items":true,"dynamicProps":false,"dynamicItems":false};

const schema66 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["id","backends"],"properties":{"id":{"$ref":"#/$defs/name"},"aliases":{"type":"array","uniqueItems":true,"items":{"$ref":"#/$defs/name"},"default":[]},"kind":{"enum":["chat","embedding","rerank","score","classify","transcription"],"default":"chat"},"owned_by":{"type":"string","minLength":1},"created":{"type":"integer","minimum":0,"default":0},"max_model_len":{"type":"integer","minimum":1},"pricing":{"type":"object","additionalProperties":false,"required":["input","output"],"properties":{"input":{"$ref":"#/$defs/price"},"cached_input":{"$ref":"#/$defs/price"},"output":{"$ref":"#/$defs/price"}}},"sampling":{"enum":["free","fixed"],"default":"free"},"capabilities":{"$ref":"capabilities.json","default":{}},"max_concurrency":{"type":"integer","minimum":1},"routing":{"$ref":"routing.json"},"queue":{"$ref":"queue.json"},"fallback":{"type":"array","uniqueItems":true,"items":{"$ref":"#/$defs/name"},"default":[]},"mirror":{"type":"object","additionalProperties":false,"required":["to","percent"],"properties":{"to":{"$ref":"#/$defs/name"},"percent":{"type":"number","minimum":0,"maximum":100}}},"backends":{"type":"array","minItems":1,"items":{"$ref":"backend.json"}}},"$defs":{"name":{"type":"string","pattern":"^[A-Za-z0-9./_][A-Za-z0-9._:/@+-]{0,199}$"},"price":{"type":"number","minimum":0,"maximum":100000000}}};
const schema67 = {"type":"string","pattern":"^[A-Za-z0-9./_][A-Za-z0-9._:/@+-]{0,199}$"};
const schema69 = {"type":"number","minimum":0,"maximum":100000000};
const schema92 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"max":{"type":"integer","minimum":1,"maximum":10000,"default":200},"max_wait_ms":{"type":"integer","minimum":1,"maximum":600000,"default":10000},"fair":{"enum":["account"],"default":"account"}}};
const pattern18 = new RegExp("^[A-Za-z0-9./_][A-Za-z0-9._:/@+-]{0,199}$", "u");
const schema72 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"vision":{"type":"boolean"},"tools":{"type":"boolean"},"reasoning":{"enum":[false,true,"always"],"default":false},"reasoning_effort":{"type":"object","additionalProperties":false,"default":{},"properties":{"default":{"enum":["none","low","medium","high","xhigh","max"]}}},"chat_completions":{"type":"object","additionalProperties":false,"default":{},"properties":{"n":{"$ref":"#/$defs/n","default":false},"grammar":{"$ref":"#/$defs/grammar","default":false},"regex":{"$ref":"#/$defs/regex","default":false},"structured_outputs":{"$ref":"#/$defs/structured_outputs","default":true},"tools":{"$ref":"#/$defs/tools"},"streaming_tools":{"$ref":"#/$defs/streaming_tools"},"preserve_thinking":{"$ref":"#/$defs/preserve_thinking","default":false},"echo":{"$ref":"#/$defs/echo"},"suffix":{"$ref":"#/$defs/suffix"}}},"messages":{"type":"object","additionalProperties":false,"default":{},"properties":{"vision":{"type":"boolean"}}},"responses":{"type":"object","propertyNames":{"pattern":"^[a-z][a-z0-9_]{0,63}$"},"additionalProperties":{"type":"boolean"},"default":{}},"zdr":{"type":"object","additionalProperties":false,"default":{},"properties":{"n":{"$ref":"#/$defs/n"},"grammar":{"$ref":"#/$defs/grammar"},"regex":{"$ref":"#/$defs/regex"},"structured_outputs":{"$ref":"#/$defs/structured_outputs"},"tools":{"$ref":"#/$defs/tools"},"streaming_tools":{"$ref":"#/$defs/streaming_tools"},"preserve_thinking":{"$ref":"#/$defs/preserve_thinking"},"echo":{"$ref":"#/$defs/echo"},"suffix":{"$ref":"#/$defs/suffix"}}}},"$defs":{"n":{"type":"boolean"},"grammar":{"type":"boolean"},"regex":{"type":"boolean"},"structured_outputs":{"type":"boolean"},"tools":{"type":"boolean"},"streaming_tools":{"type":"boolean"},"preserve_thinking":{"type":"boolean"},"echo":{"type":"boolean"},"suffix":{"type":"boolean"}}};
const schema73 = {"type":"boolean"};
const schema74 = {"type":"boolean"};
const schema75 = {"type":"boolean"};
const schema76 = {"type":"boolean"};
const schema77 = {"type":"boolean"};
const schema78 = {"type":"boolean"};
const schema79 = {"type":"boolean"};
const schema80 = {"type":"boolean"};
const schema81 = {"type":"boolean"};
const pattern20 = new RegExp("^[a-z][a-z0-9_]{0,63}$", "u");

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.reasoning === undefined){
data.reasoning = false;
}
if(data.reasoning_effort === undefined){
data.reasoning_effort = {};
}
if(data.chat_completions === undefined){
data.chat_completions = {};
}
if(data.messages === undefined){
data.messages = {};
}
if(data.responses === undefined){
data.responses = {};
}
if(data.zdr === undefined){
data.zdr = {};
}
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "vision") || (key0 === "tools")) || (key0 === "reasoning")) || (key0 === "reasoning_effort")) || (key0 === "chat_completions")) || (key0 === "messages")) || (key0 === "responses")) || (key0 === "zdr"))){
validate22.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.vision !== undefined){
const _errs2 = errors;
if(typeof data.vision !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/vision",schemaPath:"#/properties/vision/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tools !== undefined){
const _errs4 = errors;
if(typeof data.tools !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data2 = data.reasoning;
const _errs6 = errors;
if(!(((data2 === false) || (data2 === true)) || (data2 === "always"))){
validate22.errors = [{instancePath:instancePath+"/reasoning",schemaPath:"#/properties/reasoning/enum",keyword:"enum",params:{allowedValues: schema72.properties.reasoning.enum}}];
return false;
}
var valid0 = _errs6 === errors;
if(valid0){
let data3 = data.reasoning_effort;
const _errs7 = errors;
if(errors === _errs7){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
const _errs9 = errors;
for(const key1 in data3){
if(!(key1 === "default")){
validate22.errors = [{instancePath:instancePath+"/reasoning_effort",schemaPath:"#/properties/reasoning_effort/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs9 === errors){
if(data3.default !== undefined){
let data4 = data3.default;
if(!((((((data4 === "none") || (data4 === "low")) || (data4 === "medium")) || (data4 === "high")) || (data4 === "xhigh")) || (data4 === "max"))){
validate22.errors = [{instancePath:instancePath+"/reasoning_effort/default",schemaPath:"#/properties/reasoning_effort/properties/default/enum",keyword:"enum",params:{allowedValues: schema72.properties.reasoning_effort.properties.default.enum}}];
return false;
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/reasoning_effort",schemaPath:"#/properties/reasoning_effort/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs7 === errors;
if(valid0){
let data5 = data.chat_completions;
const _errs11 = errors;
if(errors === _errs11){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.n === undefined){
data5.n = false;
}
if(data5.grammar === undefined){
data5.grammar = false;
}
if(data5.regex === undefined){
data5.regex = false;
}
if(data5.structured_outputs === undefined){
data5.structured_outputs = true;
}
if(data5.preserve_thinking === undefined){
data5.preserve_thinking = false;
}
const _errs13 = errors;
for(const key2 in data5){
if(!(func0.call(schema72.properties.chat_completions.properties, key2))){
validate22.errors = [{instancePath:instancePath+"/chat_completions",schemaPath:"#/properties/chat_completions/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs13 === errors){
const _errs14 = errors;
if(typeof data5.n !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/chat_completions/n",schemaPath:"#/$defs/n/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs14 === errors;
if(valid2){
const _errs17 = errors;
if(typeof data5.grammar !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/chat_completions/grammar",schemaPath:"#/$defs/grammar/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs17 === errors;
if(valid2){
const _errs20 = errors;
if(typeof data5.regex !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/chat_completions/regex",schemaPath:"#/$defs/regex/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs20 === errors;
if(valid2){
const _errs23 = errors;
if(typeof data5.structured_outputs !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/chat_completions/structured_outputs",schemaPath:"#/$defs/structured_outputs/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs23 === errors;
if(valid2){
if(data5.tools !== undefined){
const _errs26 = errors;
if(typeof data5.tools !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/chat_completions/tools",schemaPath:"#/$defs/tools/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs26 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.streaming_tools !== undefined){
const _errs29 = errors;
if(typeof data5.streaming_tools !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/chat_completions/streaming_tools",schemaPath:"#/$defs/streaming_tools/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs29 === errors;
}
else {
var valid2 = true;
}
if(valid2){
const _errs32 = errors;
if(typeof data5.preserve_thinking !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/chat_completions/preserve_thinking",schemaPath:"#/$defs/preserve_thinking/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs32 === errors;
if(valid2){
if(data5.echo !== undefined){
const _errs35 = errors;
if(typeof data5.echo !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/chat_completions/echo",schemaPath:"#/$defs/echo/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs35 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.suffix !== undefined){
const _errs38 = errors;
if(typeof data5.suffix !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/chat_completions/suffix",schemaPath:"#/$defs/suffix/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs38 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/chat_completions",schemaPath:"#/properties/chat_completions/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs11 === errors;
if(valid0){
let data15 = data.messages;
const _errs41 = errors;
if(errors === _errs41){
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
const _errs43 = errors;
for(const key3 in data15){
if(!(key3 === "vision")){
validate22.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
if(_errs43 === errors){
if(data15.vision !== undefined){
if(typeof data15.vision !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/messages/vision",schemaPath:"#/properties/messages/properties/vision/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs41 === errors;
if(valid0){
let data17 = data.responses;
const _errs46 = errors;
if(errors === _errs46){
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
for(const key4 in data17){
const _errs48 = errors;
if(typeof key4 === "string"){
if(!pattern20.test(key4)){
const err0 = {instancePath:instancePath+"/responses",schemaPath:"#/properties/responses/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[a-z][a-z0-9_]{0,63}$"},propertyName:key4};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid13 = _errs48 === errors;
if(!valid13){
const err1 = {instancePath:instancePath+"/responses",schemaPath:"#/properties/responses/propertyNames",keyword:"propertyNames",params:{propertyName: key4}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate22.errors = vErrors;
return false;
break;
}
}
if(valid13){
for(const key5 in data17){
const _errs50 = errors;
if(typeof data17[key5] !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/responses/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/responses/additionalProperties/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid14 = _errs50 === errors;
if(!valid14){
break;
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/responses",schemaPath:"#/properties/responses/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs46 === errors;
if(valid0){
let data19 = data.zdr;
const _errs52 = errors;
if(errors === _errs52){
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
const _errs54 = errors;
for(const key6 in data19){
if(!(func0.call(schema72.properties.zdr.properties, key6))){
validate22.errors = [{instancePath:instancePath+"/zdr",schemaPath:"#/properties/zdr/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}}];
return false;
break;
}
}
if(_errs54 === errors){
if(data19.n !== undefined){
const _errs55 = errors;
if(typeof data19.n !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/zdr/n",schemaPath:"#/$defs/n/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid15 = _errs55 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data19.grammar !== undefined){
const _errs58 = errors;
if(typeof data19.grammar !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/zdr/grammar",schemaPath:"#/$defs/grammar/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid15 = _errs58 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data19.regex !== undefined){
const _errs61 = errors;
if(typeof data19.regex !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/zdr/regex",schemaPath:"#/$defs/regex/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid15 = _errs61 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data19.structured_outputs !== undefined){
const _errs64 = errors;
if(typeof data19.structured_outputs !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/zdr/structured_outputs",schemaPath:"#/$defs/structured_outputs/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid15 = _errs64 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data19.tools !== undefined){
const _errs67 = errors;
if(typeof data19.tools !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/zdr/tools",schemaPath:"#/$defs/tools/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid15 = _errs67 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data19.streaming_tools !== undefined){
const _errs70 = errors;
if(typeof data19.streaming_tools !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/zdr/streaming_tools",schemaPath:"#/$defs/streaming_tools/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid15 = _errs70 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data19.preserve_thinking !== undefined){
const _errs73 = errors;
if(typeof data19.preserve_thinking !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/zdr/preserve_thinking",schemaPath:"#/$defs/preserve_thinking/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid15 = _errs73 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data19.echo !== undefined){
const _errs76 = errors;
if(typeof data19.echo !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/zdr/echo",schemaPath:"#/$defs/echo/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid15 = _errs76 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data19.suffix !== undefined){
const _errs79 = errors;
if(typeof data19.suffix !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/zdr/suffix",schemaPath:"#/$defs/suffix/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid15 = _errs79 === errors;
}
else {
var valid15 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/zdr",schemaPath:"#/properties/zdr/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs52 === errors;
}
}
}
}
}
}
}
}
}
else {
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema95 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"url":{"type":"string","pattern":"^https?://"},"discover":{"enum":["dns","file"]},"name":{"type":"string","pattern":"^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_.])?$"},"type":{"enum":["A","AAAA","SRV"]},"port":{"type":"integer","minimum":1,"maximum":65535},"scheme":{"enum":["http","https"]},"base_path":{"type":"string","pattern":"^(/[A-Za-z0-9._~-]+)*/?$"},"path":{"type":"string","minLength":1},"every_seconds":{"type":"number","minimum":0.1,"maximum":86400},"servers":{"type":"array","minItems":1,"maxItems":8,"items":{"type":"string","minLength":1}},"model":{"type":"string","minLength":1},"engine":{"enum":["vllm","sglang","llama.cpp","openai"],"default":"openai"},"profile":{"$ref":"profile.json","default":{}},"zdr":{"type":"boolean","default":false},"weight":{"type":"number","minimum":0,"maximum":1000000,"default":1},"drain":{"type":"boolean","default":false},"max_concurrency":{"type":"integer","minimum":1},"routing":{"type":"object","additionalProperties":false,"default":{},"properties":{"prefill_tokens_per_second":{"type":"number","exclusiveMinimum":0},"decode_step_ms":{"type":"number","exclusiveMinimum":0},"cache_tokens":{"type":"integer","minimum":1}}},"api_key":{"type":"string","pattern":"^[\\x21-\\x7e]+$"},"headers":{"type":"object","propertyNames":{"pattern":"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},"additionalProperties":{"type":"string","pattern":"^[\\t\\x20-\\x7e]*$"},"default":{}}}};
const schema96 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"engine_version":{"type":["string","null"],"minLength":1},"thinking_kwarg":{"enum":["enable_thinking","thinking",null]},"efforts":{"type":"array","uniqueItems":true,"items":{"type":"string","minLength":1}},"structured":{"enum":["structured_outputs","sglang","llama.cpp","response_format_only"]},"tokenize":{"enum":["messages","prompt","content","none"]},"cached_null_means_zero":{"type":"boolean"},"system_inline":{"type":"boolean"},"developer_role":{"type":"boolean"},"named_tool_choice":{"type":"boolean"},"repetition_penalty":{"enum":["repetition_penalty","repeat_penalty"]},"logprobs_need_top":{"type":"boolean"},"always_stream":{"type":"boolean"},"usage_per_choice":{"type":"boolean"},"running_usage":{"enum":["continuous_usage_stats","timings_per_token"]},"stream_tools_logprobs":{"type":"boolean"},"text_members":{"type":"array","uniqueItems":true,"items":{"enum":["echo","suffix","best_of"]}},"max_stop_strings":{"type":["integer","null"],"minimum":1},"top_k_all":{"enum":[0,-1]},"image_detail_original":{"type":"boolean"},"priority":{"enum":["lower_first","higher_first",null]},"cache_salt":{"type":"boolean"},"health_path":{"type":["string","null"],"pattern":"^/"},"cache_path":{"type":["string","null"],"pattern":"^/"},"root_paths":{"type":"array","uniqueItems":true,"items":{"enum":["/embeddings","/rerank","/score","/classify"]}},"queue_full_patterns":{"type":"array","items":{"type":"string","minLength":1}},"context_patterns":{"type":"array","items":{"type":"string","minLength":1}},"refusal_patterns":{"type":"array","items":{"type":"string","minLength":1}},"timeout_patterns":{"type":"array","items":{"type":"string","minLength":1}},"missing_model_patterns":{"type":"array","items":{"type":"string","minLength":1}}}};
const pattern25 = new RegExp("^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_.])?$", "u");
const pattern26 = new RegExp("^(/[A-Za-z0-9._~-]+)*/?$", "u");
const pattern27 = new RegExp("^/", "u");
const pattern29 = new RegExp("^[\\x21-\\x7e]+$", "u");
const pattern31 = new RegExp("^[\\t\\x20-\\x7e]*$", "u");

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.engine === undefined){
data.engine = "openai";
}
if(data.profile === undefined){
data.profile = {};
}
if(data.zdr === undefined){
data.zdr = false;
}
if(data.weight === undefined){
data.weight = 1;
}
if(data.drain === undefined){
data.drain = false;
}
if(data.routing === undefined){
data.routing = {};
}
if(data.headers === undefined){
data.headers = {};
}
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema95.properties, key0))){
validate24.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.url !== undefined){
let data0 = data.url;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern1.test(data0)){
validate24.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/pattern",keyword:"pattern",params:{pattern: "^https?://"}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.discover !== undefined){
let data1 = data.discover;
const _errs4 = errors;
if(!((data1 === "dns") || (data1 === "file"))){
validate24.errors = [{instancePath:instancePath+"/discover",schemaPath:"#/properties/discover/enum",keyword:"enum",params:{allowedValues: schema95.properties.discover.enum}}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(!pattern25.test(data2)){
validate24.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_.])?$"}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data3 = data.type;
const _errs7 = errors;
if(!(((data3 === "A") || (data3 === "AAAA")) || (data3 === "SRV"))){
validate24.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema95.properties.type.enum}}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.port !== undefined){
let data4 = data.port;
const _errs8 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate24.errors = [{instancePath:instancePath+"/port",schemaPath:"#/properties/port/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs8){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 65535 || isNaN(data4)){
validate24.errors = [{instancePath:instancePath+"/port",schemaPath:"#/properties/port/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate24.errors = [{instancePath:instancePath+"/port",schemaPath:"#/properties/port/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scheme !== undefined){
let data5 = data.scheme;
const _errs10 = errors;
if(!((data5 === "http") || (data5 === "https"))){
validate24.errors = [{instancePath:instancePath+"/scheme",schemaPath:"#/properties/scheme/enum",keyword:"enum",params:{allowedValues: schema95.properties.scheme.enum}}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.base_path !== undefined){
let data6 = data.base_path;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data6 === "string"){
if(!pattern26.test(data6)){
validate24.errors = [{instancePath:instancePath+"/base_path",schemaPath:"#/properties/base_path/pattern",keyword:"pattern",params:{pattern: "^(/[A-Za-z0-9._~-]+)*/?$"}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/base_path",schemaPath:"#/properties/base_path/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.path !== undefined){
let data7 = data.path;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data7 === "string"){
if(data7.length < 1){
validate24.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.every_seconds !== undefined){
let data8 = data.every_seconds;
const _errs15 = errors;
if(errors === _errs15){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 86400 || isNaN(data8)){
validate24.errors = [{instancePath:instancePath+"/every_seconds",schemaPath:"#/properties/every_seconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400}}];
return false;
}
else {
if(data8 < 0.1 || isNaN(data8)){
validate24.errors = [{instancePath:instancePath+"/every_seconds",schemaPath:"#/properties/every_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0.1}}];
return false;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/every_seconds",schemaPath:"#/properties/every_seconds/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.servers !== undefined){
let data9 = data.servers;
const _errs17 = errors;
if(errors === _errs17){
if(Array.isArray(data9)){
if(data9.length > 8){
validate24.errors = [{instancePath:instancePath+"/servers",schemaPath:"#/properties/servers/maxItems",keyword:"maxItems",params:{limit: 8}}];
return false;
}
else {
if(data9.length < 1){
validate24.errors = [{instancePath:instancePath+"/servers",schemaPath:"#/properties/servers/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid1 = true;
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
let data10 = data9[i0];
const _errs19 = errors;
if(errors === _errs19){
if(typeof data10 === "string"){
if(data10.length < 1){
validate24.errors = [{instancePath:instancePath+"/servers/" + i0,schemaPath:"#/properties/servers/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/servers/" + i0,schemaPath:"#/properties/servers/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid1 = _errs19 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/servers",schemaPath:"#/properties/servers/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.model !== undefined){
let data11 = data.model;
const _errs21 = errors;
if(errors === _errs21){
if(typeof data11 === "string"){
if(data11.length < 1){
validate24.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data12 = data.engine;
const _errs23 = errors;
if(!((((data12 === "vllm") || (data12 === "sglang")) || (data12 === "llama.cpp")) || (data12 === "openai"))){
validate24.errors = [{instancePath:instancePath+"/engine",schemaPath:"#/properties/engine/enum",keyword:"enum",params:{allowedValues: schema95.properties.engine.enum}}];
return false;
}
var valid0 = _errs23 === errors;
if(valid0){
let data13 = data.profile;
const _errs24 = errors;
const _errs25 = errors;
if(errors === _errs25){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
const _errs27 = errors;
for(const key1 in data13){
if(!(func0.call(schema96.properties, key1))){
validate24.errors = [{instancePath:instancePath+"/profile",schemaPath:"profile.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs27 === errors){
if(data13.engine_version !== undefined){
let data14 = data13.engine_version;
const _errs28 = errors;
if((typeof data14 !== "string") && (data14 !== null)){
validate24.errors = [{instancePath:instancePath+"/profile/engine_version",schemaPath:"profile.json/properties/engine_version/type",keyword:"type",params:{type: schema96.properties.engine_version.type}}];
return false;
}
if(errors === _errs28){
if(typeof data14 === "string"){
if(data14.length < 1){
validate24.errors = [{instancePath:instancePath+"/profile/engine_version",schemaPath:"profile.json/properties/engine_version/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
var valid3 = _errs28 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.thinking_kwarg !== undefined){
let data15 = data13.thinking_kwarg;
const _errs30 = errors;
if(!(((data15 === "enable_thinking") || (data15 === "thinking")) || (data15 === null))){
validate24.errors = [{instancePath:instancePath+"/profile/thinking_kwarg",schemaPath:"profile.json/properties/thinking_kwarg/enum",keyword:"enum",params:{allowedValues: schema96.properties.thinking_kwarg.enum}}];
return false;
}
var valid3 = _errs30 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.efforts !== undefined){
let data16 = data13.efforts;
const _errs31 = errors;
if(errors === _errs31){
if(Array.isArray(data16)){
var valid4 = true;
const len1 = data16.length;
for(let i1=0; i1<len1; i1++){
let data17 = data16[i1];
const _errs33 = errors;
if(errors === _errs33){
if(typeof data17 === "string"){
if(data17.length < 1){
validate24.errors = [{instancePath:instancePath+"/profile/efforts/" + i1,schemaPath:"profile.json/properties/efforts/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/efforts/" + i1,schemaPath:"profile.json/properties/efforts/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid4 = _errs33 === errors;
if(!valid4){
break;
}
}
if(valid4){
let i2 = data16.length;
let j0;
if(i2 > 1){
const indices0 = {};
for(;i2--;){
let item0 = data16[i2];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate24.errors = [{instancePath:instancePath+"/profile/efforts",schemaPath:"profile.json/properties/efforts/uniqueItems",keyword:"uniqueItems",params:{i: i2, j: j0}}];
return false;
break;
}
indices0[item0] = i2;
}
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/efforts",schemaPath:"profile.json/properties/efforts/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs31 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.structured !== undefined){
let data18 = data13.structured;
const _errs35 = errors;
if(!((((data18 === "structured_outputs") || (data18 === "sglang")) || (data18 === "llama.cpp")) || (data18 === "response_format_only"))){
validate24.errors = [{instancePath:instancePath+"/profile/structured",schemaPath:"profile.json/properties/structured/enum",keyword:"enum",params:{allowedValues: schema96.properties.structured.enum}}];
return false;
}
var valid3 = _errs35 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.tokenize !== undefined){
let data19 = data13.tokenize;
const _errs36 = errors;
if(!((((data19 === "messages") || (data19 === "prompt")) || (data19 === "content")) || (data19 === "none"))){
validate24.errors = [{instancePath:instancePath+"/profile/tokenize",schemaPath:"profile.json/properties/tokenize/enum",keyword:"enum",params:{allowedValues: schema96.properties.tokenize.enum}}];
return false;
}
var valid3 = _errs36 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.cached_null_means_zero !== undefined){
const _errs37 = errors;
if(typeof data13.cached_null_means_zero !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/cached_null_means_zero",schemaPath:"profile.json/properties/cached_null_means_zero/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs37 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.system_inline !== undefined){
const _errs39 = errors;
if(typeof data13.system_inline !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/system_inline",schemaPath:"profile.json/properties/system_inline/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs39 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.developer_role !== undefined){
const _errs41 = errors;
if(typeof data13.developer_role !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/developer_role",schemaPath:"profile.json/properties/developer_role/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs41 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.named_tool_choice !== undefined){
const _errs43 = errors;
if(typeof data13.named_tool_choice !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/named_tool_choice",schemaPath:"profile.json/properties/named_tool_choice/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs43 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.repetition_penalty !== undefined){
let data24 = data13.repetition_penalty;
const _errs45 = errors;
if(!((data24 === "repetition_penalty") || (data24 === "repeat_penalty"))){
validate24.errors = [{instancePath:instancePath+"/profile/repetition_penalty",schemaPath:"profile.json/properties/repetition_penalty/enum",keyword:"enum",params:{allowedValues: schema96.properties.repetition_penalty.enum}}];
return false;
}
var valid3 = _errs45 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.logprobs_need_top !== undefined){
const _errs46 = errors;
if(typeof data13.logprobs_need_top !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/logprobs_need_top",schemaPath:"profile.json/properties/logprobs_need_top/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs46 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.always_stream !== undefined){
const _errs48 = errors;
if(typeof data13.always_stream !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/always_stream",schemaPath:"profile.json/properties/always_stream/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs48 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.usage_per_choice !== undefined){
const _errs50 = errors;
if(typeof data13.usage_per_choice !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/usage_per_choice",schemaPath:"profile.json/properties/usage_per_choice/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs50 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.running_usage !== undefined){
let data28 = data13.running_usage;
const _errs52 = errors;
if(!((data28 === "continuous_usage_stats") || (data28 === "timings_per_token"))){
validate24.errors = [{instancePath:instancePath+"/profile/running_usage",schemaPath:"profile.json/properties/running_usage/enum",keyword:"enum",params:{allowedValues: schema96.properties.running_usage.enum}}];
return false;
}
var valid3 = _errs52 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.stream_tools_logprobs !== undefined){
const _errs53 = errors;
if(typeof data13.stream_tools_logprobs !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/stream_tools_logprobs",schemaPath:"profile.json/properties/stream_tools_logprobs/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs53 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.text_members !== undefined){
let data30 = data13.text_members;
const _errs55 = errors;
if(errors === _errs55){
if(Array.isArray(data30)){
var valid6 = true;
const len2 = data30.length;
for(let i3=0; i3<len2; i3++){
let data31 = data30[i3];
const _errs57 = errors;
if(!(((data31 === "echo") || (data31 === "suffix")) || (data31 === "best_of"))){
validate24.errors = [{instancePath:instancePath+"/profile/text_members/" + i3,schemaPath:"profile.json/properties/text_members/items/enum",keyword:"enum",params:{allowedValues: schema96.properties.text_members.items.enum}}];
return false;
}
var valid6 = _errs57 === errors;
if(!valid6){
break;
}
}
if(valid6){
let i4 = data30.length;
let j1;
if(i4 > 1){
outer0:
for(;i4--;){
for(j1 = i4; j1--;){
if(func3(data30[i4], data30[j1])){
validate24.errors = [{instancePath:instancePath+"/profile/text_members",schemaPath:"profile.json/properties/text_members/uniqueItems",keyword:"uniqueItems",params:{i: i4, j: j1}}];
return false;
break outer0;
}
}
}
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/text_members",schemaPath:"profile.json/properties/text_members/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs55 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.max_stop_strings !== undefined){
let data32 = data13.max_stop_strings;
const _errs58 = errors;
if((!(((typeof data32 == "number") && (!(data32 % 1) && !isNaN(data32))) && (isFinite(data32)))) && (data32 !== null)){
validate24.errors = [{instancePath:instancePath+"/profile/max_stop_strings",schemaPath:"profile.json/properties/max_stop_strings/type",keyword:"type",params:{type: schema96.properties.max_stop_strings.type}}];
return false;
}
if(errors === _errs58){
if((typeof data32 == "number") && (isFinite(data32))){
if(data32 < 1 || isNaN(data32)){
validate24.errors = [{instancePath:instancePath+"/profile/max_stop_strings",schemaPath:"profile.json/properties/max_stop_strings/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
var valid3 = _errs58 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.top_k_all !== undefined){
let data33 = data13.top_k_all;
const _errs60 = errors;
if(!((data33 === 0) || (data33 === -1))){
validate24.errors = [{instancePath:instancePath+"/profile/top_k_all",schemaPath:"profile.json/properties/top_k_all/enum",keyword:"enum",params:{allowedValues: schema96.properties.top_k_all.enum}}];
return false;
}
var valid3 = _errs60 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.image_detail_original !== undefined){
const _errs61 = errors;
if(typeof data13.image_detail_original !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/image_detail_original",schemaPath:"profile.json/properties/image_detail_original/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs61 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.priority !== undefined){
let data35 = data13.priority;
const _errs63 = errors;
if(!(((data35 === "lower_first") || (data35 === "higher_first")) || (data35 === null))){
validate24.errors = [{instancePath:instancePath+"/profile/priority",schemaPath:"profile.json/properties/priority/enum",keyword:"enum",params:{allowedValues: schema96.properties.priority.enum}}];
return false;
}
var valid3 = _errs63 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.cache_salt !== undefined){
const _errs64 = errors;
if(typeof data13.cache_salt !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/profile/cache_salt",schemaPath:"profile.json/properties/cache_salt/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid3 = _errs64 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.health_path !== undefined){
let data37 = data13.health_path;
const _errs66 = errors;
if((typeof data37 !== "string") && (data37 !== null)){
validate24.errors = [{instancePath:instancePath+"/profile/health_path",schemaPath:"profile.json/properties/health_path/type",keyword:"type",params:{type: schema96.properties.health_path.type}}];
return false;
}
if(errors === _errs66){
if(typeof data37 === "string"){
if(!pattern27.test(data37)){
validate24.errors = [{instancePath:instancePath+"/profile/health_path",schemaPath:"profile.json/properties/health_path/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
}
var valid3 = _errs66 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.cache_path !== undefined){
let data38 = data13.cache_path;
const _errs68 = errors;
if((typeof data38 !== "string") && (data38 !== null)){
validate24.errors = [{instancePath:instancePath+"/profile/cache_path",schemaPath:"profile.json/properties/cache_path/type",keyword:"type",params:{type: schema96.properties.cache_path.type}}];
return false;
}
if(errors === _errs68){
if(typeof data38 === "string"){
if(!pattern27.test(data38)){
validate24.errors = [{instancePath:instancePath+"/profile/cache_path",schemaPath:"profile.json/properties/cache_path/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
}
var valid3 = _errs68 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.root_paths !== undefined){
let data39 = data13.root_paths;
const _errs70 = errors;
if(errors === _errs70){
if(Array.isArray(data39)){
var valid8 = true;
const len3 = data39.length;
for(let i5=0; i5<len3; i5++){
let data40 = data39[i5];
const _errs72 = errors;
if(!((((data40 === "/embeddings") || (data40 === "/rerank")) || (data40 === "/score")) || (data40 === "/classify"))){
validate24.errors = [{instancePath:instancePath+"/profile/root_paths/" + i5,schemaPath:"profile.json/properties/root_paths/items/enum",keyword:"enum",params:{allowedValues: schema96.properties.root_paths.items.enum}}];
return false;
}
var valid8 = _errs72 === errors;
if(!valid8){
break;
}
}
if(valid8){
let i6 = data39.length;
let j2;
if(i6 > 1){
outer1:
for(;i6--;){
for(j2 = i6; j2--;){
if(func3(data39[i6], data39[j2])){
validate24.errors = [{instancePath:instancePath+"/profile/root_paths",schemaPath:"profile.json/properties/root_paths/uniqueItems",keyword:"uniqueItems",params:{i: i6, j: j2}}];
return false;
break outer1;
}
}
}
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/root_paths",schemaPath:"profile.json/properties/root_paths/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs70 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.queue_full_patterns !== undefined){
let data41 = data13.queue_full_patterns;
const _errs73 = errors;
if(errors === _errs73){
if(Array.isArray(data41)){
var valid10 = true;
const len4 = data41.length;
for(let i7=0; i7<len4; i7++){
let data42 = data41[i7];
const _errs75 = errors;
if(errors === _errs75){
if(typeof data42 === "string"){
if(data42.length < 1){
validate24.errors = [{instancePath:instancePath+"/profile/queue_full_patterns/" + i7,schemaPath:"profile.json/properties/queue_full_patterns/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/queue_full_patterns/" + i7,schemaPath:"profile.json/properties/queue_full_patterns/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid10 = _errs75 === errors;
if(!valid10){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/queue_full_patterns",schemaPath:"profile.json/properties/queue_full_patterns/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs73 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.context_patterns !== undefined){
let data43 = data13.context_patterns;
const _errs77 = errors;
if(errors === _errs77){
if(Array.isArray(data43)){
var valid11 = true;
const len5 = data43.length;
for(let i8=0; i8<len5; i8++){
let data44 = data43[i8];
const _errs79 = errors;
if(errors === _errs79){
if(typeof data44 === "string"){
if(data44.length < 1){
validate24.errors = [{instancePath:instancePath+"/profile/context_patterns/" + i8,schemaPath:"profile.json/properties/context_patterns/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/context_patterns/" + i8,schemaPath:"profile.json/properties/context_patterns/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid11 = _errs79 === errors;
if(!valid11){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/context_patterns",schemaPath:"profile.json/properties/context_patterns/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs77 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.refusal_patterns !== undefined){
let data45 = data13.refusal_patterns;
const _errs81 = errors;
if(errors === _errs81){
if(Array.isArray(data45)){
var valid12 = true;
const len6 = data45.length;
for(let i9=0; i9<len6; i9++){
let data46 = data45[i9];
const _errs83 = errors;
if(errors === _errs83){
if(typeof data46 === "string"){
if(data46.length < 1){
validate24.errors = [{instancePath:instancePath+"/profile/refusal_patterns/" + i9,schemaPath:"profile.json/properties/refusal_patterns/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/refusal_patterns/" + i9,schemaPath:"profile.json/properties/refusal_patterns/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid12 = _errs83 === errors;
if(!valid12){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/refusal_patterns",schemaPath:"profile.json/properties/refusal_patterns/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs81 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.timeout_patterns !== undefined){
let data47 = data13.timeout_patterns;
const _errs85 = errors;
if(errors === _errs85){
if(Array.isArray(data47)){
var valid13 = true;
const len7 = data47.length;
for(let i10=0; i10<len7; i10++){
let data48 = data47[i10];
const _errs87 = errors;
if(errors === _errs87){
if(typeof data48 === "string"){
if(data48.length < 1){
validate24.errors = [{instancePath:instancePath+"/profile/timeout_patterns/" + i10,schemaPath:"profile.json/properties/timeout_patterns/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/timeout_patterns/" + i10,schemaPath:"profile.json/properties/timeout_patterns/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid13 = _errs87 === errors;
if(!valid13){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/timeout_patterns",schemaPath:"profile.json/properties/timeout_patterns/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs85 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.missing_model_patterns !== undefined){
let data49 = data13.missing_model_patterns;
const _errs89 = errors;
if(errors === _errs89){
if(Array.isArray(data49)){
var valid14 = true;
const len8 = data49.length;
for(let i11=0; i11<len8; i11++){
let data50 = data49[i11];
const _errs91 = errors;
if(errors === _errs91){
if(typeof data50 === "string"){
if(data50.length < 1){
validate24.errors = [{instancePath:instancePath+"/profile/missing_model_patterns/" + i11,schemaPath:"profile.json/properties/missing_model_patterns/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/missing_model_patterns/" + i11,schemaPath:"profile.json/properties/missing_model_patterns/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid14 = _errs91 === errors;
if(!valid14){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile/missing_model_patterns",schemaPath:"profile.json/properties/missing_model_patterns/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid3 = _errs89 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/profile",schemaPath:"profile.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs24 === errors;
if(valid0){
const _errs93 = errors;
if(typeof data.zdr !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/zdr",schemaPath:"#/properties/zdr/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs93 === errors;
if(valid0){
let data52 = data.weight;
const _errs95 = errors;
if(errors === _errs95){
if((typeof data52 == "number") && (isFinite(data52))){
if(data52 > 1000000 || isNaN(data52)){
validate24.errors = [{instancePath:instancePath+"/weight",schemaPath:"#/properties/weight/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data52 < 0 || isNaN(data52)){
validate24.errors = [{instancePath:instancePath+"/weight",schemaPath:"#/properties/weight/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/weight",schemaPath:"#/properties/weight/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid0 = _errs95 === errors;
if(valid0){
const _errs97 = errors;
if(typeof data.drain !== "boolean"){
validate24.errors = [{instancePath:instancePath+"/drain",schemaPath:"#/properties/drain/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs97 === errors;
if(valid0){
if(data.max_concurrency !== undefined){
let data54 = data.max_concurrency;
const _errs99 = errors;
if(!(((typeof data54 == "number") && (!(data54 % 1) && !isNaN(data54))) && (isFinite(data54)))){
validate24.errors = [{instancePath:instancePath+"/max_concurrency",schemaPath:"#/properties/max_concurrency/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs99){
if((typeof data54 == "number") && (isFinite(data54))){
if(data54 < 1 || isNaN(data54)){
validate24.errors = [{instancePath:instancePath+"/max_concurrency",schemaPath:"#/properties/max_concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
var valid0 = _errs99 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data55 = data.routing;
const _errs101 = errors;
if(errors === _errs101){
if(data55 && typeof data55 == "object" && !Array.isArray(data55)){
const _errs103 = errors;
for(const key2 in data55){
if(!(((key2 === "prefill_tokens_per_second") || (key2 === "decode_step_ms")) || (key2 === "cache_tokens"))){
validate24.errors = [{instancePath:instancePath+"/routing",schemaPath:"#/properties/routing/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs103 === errors){
if(data55.prefill_tokens_per_second !== undefined){
let data56 = data55.prefill_tokens_per_second;
const _errs104 = errors;
if(errors === _errs104){
if((typeof data56 == "number") && (isFinite(data56))){
if(data56 <= 0 || isNaN(data56)){
validate24.errors = [{instancePath:instancePath+"/routing/prefill_tokens_per_second",schemaPath:"#/properties/routing/properties/prefill_tokens_per_second/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/routing/prefill_tokens_per_second",schemaPath:"#/properties/routing/properties/prefill_tokens_per_second/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid15 = _errs104 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data55.decode_step_ms !== undefined){
let data57 = data55.decode_step_ms;
const _errs106 = errors;
if(errors === _errs106){
if((typeof data57 == "number") && (isFinite(data57))){
if(data57 <= 0 || isNaN(data57)){
validate24.errors = [{instancePath:instancePath+"/routing/decode_step_ms",schemaPath:"#/properties/routing/properties/decode_step_ms/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/routing/decode_step_ms",schemaPath:"#/properties/routing/properties/decode_step_ms/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid15 = _errs106 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data55.cache_tokens !== undefined){
let data58 = data55.cache_tokens;
const _errs108 = errors;
if(!(((typeof data58 == "number") && (!(data58 % 1) && !isNaN(data58))) && (isFinite(data58)))){
validate24.errors = [{instancePath:instancePath+"/routing/cache_tokens",schemaPath:"#/properties/routing/properties/cache_tokens/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs108){
if((typeof data58 == "number") && (isFinite(data58))){
if(data58 < 1 || isNaN(data58)){
validate24.errors = [{instancePath:instancePath+"/routing/cache_tokens",schemaPath:"#/properties/routing/properties/cache_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
var valid15 = _errs108 === errors;
}
else {
var valid15 = true;
}
}
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/routing",schemaPath:"#/properties/routing/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs101 === errors;
if(valid0){
if(data.api_key !== undefined){
let data59 = data.api_key;
const _errs110 = errors;
if(errors === _errs110){
if(typeof data59 === "string"){
if(!pattern29.test(data59)){
validate24.errors = [{instancePath:instancePath+"/api_key",schemaPath:"#/properties/api_key/pattern",keyword:"pattern",params:{pattern: "^[\\x21-\\x7e]+$"}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/api_key",schemaPath:"#/properties/api_key/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs110 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data60 = data.headers;
const _errs112 = errors;
if(errors === _errs112){
if(data60 && typeof data60 == "object" && !Array.isArray(data60)){
for(const key3 in data60){
const _errs114 = errors;
if(typeof key3 === "string"){
if(!pattern17.test(key3)){
const err0 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},propertyName:key3};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid16 = _errs114 === errors;
if(!valid16){
const err1 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/propertyNames",keyword:"propertyNames",params:{propertyName: key3}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate24.errors = vErrors;
return false;
break;
}
}
if(valid16){
for(const key4 in data60){
let data61 = data60[key4];
const _errs116 = errors;
if(errors === _errs116){
if(typeof data61 === "string"){
if(!pattern31.test(data61)){
validate24.errors = [{instancePath:instancePath+"/headers/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/headers/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^[\\t\\x20-\\x7e]*$"}}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/headers/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/headers/additionalProperties/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid17 = _errs116 === errors;
if(!valid17){
break;
}
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs112 === errors;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate24.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.aliases === undefined){
data.aliases = [];
}
if(data.kind === undefined){
data.kind = "chat";
}
if(data.created === undefined){
data.created = 0;
}
if(data.sampling === undefined){
data.sampling = "free";
}
if(data.capabilities === undefined){
data.capabilities = {};
}
if(data.fallback === undefined){
data.fallback = [];
}
let missing0;
if(((data.id === undefined) && (missing0 = "id")) || ((data.backends === undefined) && (missing0 = "backends"))){
validate21.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema66.properties, key0))){
validate21.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(!pattern18.test(data0)){
validate21.errors = [{instancePath:instancePath+"/id",schemaPath:"#/$defs/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9./_][A-Za-z0-9._:/@+-]{0,199}$"}}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/id",schemaPath:"#/$defs/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data1 = data.aliases;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data1)){
var valid2 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs7 = errors;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data2 === "string"){
if(!pattern18.test(data2)){
validate21.errors = [{instancePath:instancePath+"/aliases/" + i0,schemaPath:"#/$defs/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9./_][A-Za-z0-9._:/@+-]{0,199}$"}}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/aliases/" + i0,schemaPath:"#/$defs/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
if(valid2){
let i1 = data1.length;
let j0;
if(i1 > 1){
outer0:
for(;i1--;){
for(j0 = i1; j0--;){
if(func3(data1[i1], data1[j0])){
validate21.errors = [{instancePath:instancePath+"/aliases",schemaPath:"#/properties/aliases/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0}}];
return false;
break outer0;
}
}
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/aliases",schemaPath:"#/properties/aliases/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs5 === errors;
if(valid0){
let data3 = data.kind;
const _errs10 = errors;
if(!((((((data3 === "chat") || (data3 === "embedding")) || (data3 === "rerank")) || (data3 === "score")) || (data3 === "classify")) || (data3 === "transcription"))){
validate21.errors = [{instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/enum",keyword:"enum",params:{allowedValues: schema66.properties.kind.enum}}];
return false;
}
var valid0 = _errs10 === errors;
if(valid0){
if(data.owned_by !== undefined){
let data4 = data.owned_by;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data4 === "string"){
if(data4.length < 1){
validate21.errors = [{instancePath:instancePath+"/owned_by",schemaPath:"#/properties/owned_by/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/owned_by",schemaPath:"#/properties/owned_by/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data5 = data.created;
const _errs13 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate21.errors = [{instancePath:instancePath+"/created",schemaPath:"#/properties/created/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs13){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
validate21.errors = [{instancePath:instancePath+"/created",schemaPath:"#/properties/created/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid0 = _errs13 === errors;
if(valid0){
if(data.max_model_len !== undefined){
let data6 = data.max_model_len;
const _errs15 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate21.errors = [{instancePath:instancePath+"/max_model_len",schemaPath:"#/properties/max_model_len/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs15){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 1 || isNaN(data6)){
validate21.errors = [{instancePath:instancePath+"/max_model_len",schemaPath:"#/properties/max_model_len/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pricing !== undefined){
let data7 = data.pricing;
const _errs17 = errors;
if(errors === _errs17){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing1;
if(((data7.input === undefined) && (missing1 = "input")) || ((data7.output === undefined) && (missing1 = "output"))){
validate21.errors = [{instancePath:instancePath+"/pricing",schemaPath:"#/properties/pricing/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
const _errs19 = errors;
for(const key1 in data7){
if(!(((key1 === "input") || (key1 === "cached_input")) || (key1 === "output"))){
validate21.errors = [{instancePath:instancePath+"/pricing",schemaPath:"#/properties/pricing/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs19 === errors){
if(data7.input !== undefined){
let data8 = data7.input;
const _errs20 = errors;
const _errs21 = errors;
if(errors === _errs21){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 100000000 || isNaN(data8)){
validate21.errors = [{instancePath:instancePath+"/pricing/input",schemaPath:"#/$defs/price/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100000000}}];
return false;
}
else {
if(data8 < 0 || isNaN(data8)){
validate21.errors = [{instancePath:instancePath+"/pricing/input",schemaPath:"#/$defs/price/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/pricing/input",schemaPath:"#/$defs/price/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid5 = _errs20 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data7.cached_input !== undefined){
let data9 = data7.cached_input;
const _errs23 = errors;
const _errs24 = errors;
if(errors === _errs24){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 100000000 || isNaN(data9)){
validate21.errors = [{instancePath:instancePath+"/pricing/cached_input",schemaPath:"#/$defs/price/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100000000}}];
return false;
}
else {
if(data9 < 0 || isNaN(data9)){
validate21.errors = [{instancePath:instancePath+"/pricing/cached_input",schemaPath:"#/$defs/price/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/pricing/cached_input",schemaPath:"#/$defs/price/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid5 = _errs23 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data7.output !== undefined){
let data10 = data7.output;
const _errs26 = errors;
const _errs27 = errors;
if(errors === _errs27){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 100000000 || isNaN(data10)){
validate21.errors = [{instancePath:instancePath+"/pricing/output",schemaPath:"#/$defs/price/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100000000}}];
return false;
}
else {
if(data10 < 0 || isNaN(data10)){
validate21.errors = [{instancePath:instancePath+"/pricing/output",schemaPath:"#/$defs/price/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/pricing/output",schemaPath:"#/$defs/price/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid5 = _errs26 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/pricing",schemaPath:"#/properties/pricing/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data11 = data.sampling;
const _errs29 = errors;
if(!((data11 === "free") || (data11 === "fixed"))){
validate21.errors = [{instancePath:instancePath+"/sampling",schemaPath:"#/properties/sampling/enum",keyword:"enum",params:{allowedValues: schema66.properties.sampling.enum}}];
return false;
}
var valid0 = _errs29 === errors;
if(valid0){
const _errs30 = errors;
if(!(validate22.call(this, data.capabilities, {instancePath:instancePath+"/capabilities",parentData:data,parentDataProperty:"capabilities",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
var valid0 = _errs30 === errors;
if(valid0){
if(data.max_concurrency !== undefined){
let data13 = data.max_concurrency;
const _errs31 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
validate21.errors = [{instancePath:instancePath+"/max_concurrency",schemaPath:"#/properties/max_concurrency/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs31){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 1 || isNaN(data13)){
validate21.errors = [{instancePath:instancePath+"/max_concurrency",schemaPath:"#/properties/max_concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.routing !== undefined){
let data14 = data.routing;
const _errs33 = errors;
const _errs34 = errors;
if(errors === _errs34){
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
const _errs36 = errors;
for(const key2 in data14){
if(!((key2 === "policy") || (key2 === "session_header"))){
validate21.errors = [{instancePath:instancePath+"/routing",schemaPath:"routing.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs36 === errors){
if(data14.policy !== undefined){
let data15 = data14.policy;
const _errs37 = errors;
if(!((data15 === "cost") || (data15 === "least_load"))){
validate21.errors = [{instancePath:instancePath+"/routing/policy",schemaPath:"routing.json/properties/policy/enum",keyword:"enum",params:{allowedValues: schema62.properties.policy.enum}}];
return false;
}
var valid10 = _errs37 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data14.session_header !== undefined){
let data16 = data14.session_header;
const _errs38 = errors;
if(errors === _errs38){
if(typeof data16 === "string"){
if(!pattern17.test(data16)){
validate21.errors = [{instancePath:instancePath+"/routing/session_header",schemaPath:"routing.json/properties/session_header/pattern",keyword:"pattern",params:{pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"}}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/routing/session_header",schemaPath:"routing.json/properties/session_header/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid10 = _errs38 === errors;
}
else {
var valid10 = true;
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/routing",schemaPath:"routing.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.queue !== undefined){
let data17 = data.queue;
const _errs40 = errors;
const _errs41 = errors;
if(errors === _errs41){
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
if(data17.max === undefined){
data17.max = 200;
}
if(data17.max_wait_ms === undefined){
data17.max_wait_ms = 10000;
}
if(data17.fair === undefined){
data17.fair = "account";
}
const _errs43 = errors;
for(const key3 in data17){
if(!(((key3 === "max") || (key3 === "max_wait_ms")) || (key3 === "fair"))){
validate21.errors = [{instancePath:instancePath+"/queue",schemaPath:"queue.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
if(_errs43 === errors){
let data18 = data17.max;
const _errs44 = errors;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
validate21.errors = [{instancePath:instancePath+"/queue/max",schemaPath:"queue.json/properties/max/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs44){
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 10000 || isNaN(data18)){
validate21.errors = [{instancePath:instancePath+"/queue/max",schemaPath:"queue.json/properties/max/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000}}];
return false;
}
else {
if(data18 < 1 || isNaN(data18)){
validate21.errors = [{instancePath:instancePath+"/queue/max",schemaPath:"queue.json/properties/max/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid12 = _errs44 === errors;
if(valid12){
let data19 = data17.max_wait_ms;
const _errs46 = errors;
if(!(((typeof data19 == "number") && (!(data19 % 1) && !isNaN(data19))) && (isFinite(data19)))){
validate21.errors = [{instancePath:instancePath+"/queue/max_wait_ms",schemaPath:"queue.json/properties/max_wait_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs46){
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 > 600000 || isNaN(data19)){
validate21.errors = [{instancePath:instancePath+"/queue/max_wait_ms",schemaPath:"queue.json/properties/max_wait_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600000}}];
return false;
}
else {
if(data19 < 1 || isNaN(data19)){
validate21.errors = [{instancePath:instancePath+"/queue/max_wait_ms",schemaPath:"queue.json/properties/max_wait_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid12 = _errs46 === errors;
if(valid12){
const _errs48 = errors;
if(!(data17.fair === "account")){
validate21.errors = [{instancePath:instancePath+"/queue/fair",schemaPath:"queue.json/properties/fair/enum",keyword:"enum",params:{allowedValues: schema92.properties.fair.enum}}];
return false;
}
var valid12 = _errs48 === errors;
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/queue",schemaPath:"queue.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs40 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data21 = data.fallback;
const _errs49 = errors;
if(errors === _errs49){
if(Array.isArray(data21)){
var valid13 = true;
const len1 = data21.length;
for(let i2=0; i2<len1; i2++){
let data22 = data21[i2];
const _errs51 = errors;
const _errs52 = errors;
if(errors === _errs52){
if(typeof data22 === "string"){
if(!pattern18.test(data22)){
validate21.errors = [{instancePath:instancePath+"/fallback/" + i2,schemaPath:"#/$defs/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9./_][A-Za-z0-9._:/@+-]{0,199}$"}}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/fallback/" + i2,schemaPath:"#/$defs/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid13 = _errs51 === errors;
if(!valid13){
break;
}
}
if(valid13){
let i3 = data21.length;
let j1;
if(i3 > 1){
outer1:
for(;i3--;){
for(j1 = i3; j1--;){
if(func3(data21[i3], data21[j1])){
validate21.errors = [{instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/uniqueItems",keyword:"uniqueItems",params:{i: i3, j: j1}}];
return false;
break outer1;
}
}
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs49 === errors;
if(valid0){
if(data.mirror !== undefined){
let data23 = data.mirror;
const _errs54 = errors;
if(errors === _errs54){
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
let missing2;
if(((data23.to === undefined) && (missing2 = "to")) || ((data23.percent === undefined) && (missing2 = "percent"))){
validate21.errors = [{instancePath:instancePath+"/mirror",schemaPath:"#/properties/mirror/required",keyword:"required",params:{missingProperty: missing2}}];
return false;
}
else {
const _errs56 = errors;
for(const key4 in data23){
if(!((key4 === "to") || (key4 === "percent"))){
validate21.errors = [{instancePath:instancePath+"/mirror",schemaPath:"#/properties/mirror/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}}];
return false;
break;
}
}
if(_errs56 === errors){
if(data23.to !== undefined){
let data24 = data23.to;
const _errs57 = errors;
const _errs58 = errors;
if(errors === _errs58){
if(typeof data24 === "string"){
if(!pattern18.test(data24)){
validate21.errors = [{instancePath:instancePath+"/mirror/to",schemaPath:"#/$defs/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9./_][A-Za-z0-9._:/@+-]{0,199}$"}}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/mirror/to",schemaPath:"#/$defs/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid16 = _errs57 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data23.percent !== undefined){
let data25 = data23.percent;
const _errs60 = errors;
if(errors === _errs60){
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 > 100 || isNaN(data25)){
validate21.errors = [{instancePath:instancePath+"/mirror/percent",schemaPath:"#/properties/mirror/properties/percent/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}}];
return false;
}
else {
if(data25 < 0 || isNaN(data25)){
validate21.errors = [{instancePath:instancePath+"/mirror/percent",schemaPath:"#/properties/mirror/properties/percent/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/mirror/percent",schemaPath:"#/properties/mirror/properties/percent/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid16 = _errs60 === errors;
}
else {
var valid16 = true;
}
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/mirror",schemaPath:"#/properties/mirror/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs54 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.backends !== undefined){
let data26 = data.backends;
const _errs62 = errors;
if(errors === _errs62){
if(Array.isArray(data26)){
if(data26.length < 1){
validate21.errors = [{instancePath:instancePath+"/backends",schemaPath:"#/properties/backends/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid18 = true;
const len2 = data26.length;
for(let i4=0; i4<len2; i4++){
const _errs64 = errors;
if(!(validate24.call(this, data26[i4], {instancePath:instancePath+"/backends/" + i4,parentData:data26,parentDataProperty:i4,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
var valid18 = _errs64 === errors;
if(!valid18){
break;
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/backends",schemaPath:"#/properties/backends/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs62 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate21.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema97 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["host","models"],"properties":{"host":{"$ref":"hosts.json#/$defs/host"},"models":{"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string"}}}};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.host === undefined) && (missing0 = "host")) || ((data.models === undefined) && (missing0 = "models"))){
validate27.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "host") || (key0 === "models"))){
validate27.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.host !== undefined){
let data0 = data.host;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(!pattern10.test(data0)){
validate27.errors = [{instancePath:instancePath+"/host",schemaPath:"hosts.json#/$defs/host/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\\[[0-9A-Fa-f:.]+\\])$"}}];
return false;
}
}
else {
validate27.errors = [{instancePath:instancePath+"/host",schemaPath:"hosts.json#/$defs/host/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.models !== undefined){
let data1 = data.models;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data1)){
if(data1.length < 1){
validate27.errors = [{instancePath:instancePath+"/models",schemaPath:"#/properties/models/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid2 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs7 = errors;
if(typeof data1[i0] !== "string"){
validate27.errors = [{instancePath:instancePath+"/models/" + i0,schemaPath:"#/properties/models/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
if(valid2){
let i1 = data1.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data1[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate27.errors = [{instancePath:instancePath+"/models",schemaPath:"#/properties/models/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0}}];
return false;
break;
}
indices0[item0] = i1;
}
}
}
}
}
else {
validate27.errors = [{instancePath:instancePath+"/models",schemaPath:"#/properties/models/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate27.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema99 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"tier":{"type":"string","minLength":1},"concurrency":{"type":"integer","minimum":1},"limits":{"$ref":"request-limits.json"},"priority":{"type":"integer","minimum":-1000,"maximum":1000,"default":0},"requests":{"type":"object","additionalProperties":false,"required":["limit","window"],"properties":{"limit":{"type":"integer","minimum":1},"window":{"type":"string"}}}}};
const schema100 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"requests_per_minute":{"type":"integer","minimum":1,"maximum":1000000},"tokens_per_minute":{"type":"integer","minimum":1,"maximum":1000000000},"concurrency":{"type":"integer","minimum":1,"maximum":1000000},"budget_cents":{"type":"object","additionalProperties":false,"required":["amount","window"],"properties":{"amount":{"type":"number","exclusiveMinimum":0,"maximum":1000000000},"window":{"type":"string"}}}}};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate29.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.priority === undefined){
data.priority = 0;
}
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "tier") || (key0 === "concurrency")) || (key0 === "limits")) || (key0 === "priority")) || (key0 === "requests"))){
validate29.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.tier !== undefined){
let data0 = data.tier;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
validate29.errors = [{instancePath:instancePath+"/tier",schemaPath:"#/properties/tier/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate29.errors = [{instancePath:instancePath+"/tier",schemaPath:"#/properties/tier/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.concurrency !== undefined){
let data1 = data.concurrency;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate29.errors = [{instancePath:instancePath+"/concurrency",schemaPath:"#/properties/concurrency/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
validate29.errors = [{instancePath:instancePath+"/concurrency",schemaPath:"#/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.limits !== undefined){
let data2 = data.limits;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
const _errs9 = errors;
for(const key1 in data2){
if(!((((key1 === "requests_per_minute") || (key1 === "tokens_per_minute")) || (key1 === "concurrency")) || (key1 === "budget_cents"))){
validate29.errors = [{instancePath:instancePath+"/limits",schemaPath:"request-limits.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs9 === errors){
if(data2.requests_per_minute !== undefined){
let data3 = data2.requests_per_minute;
const _errs10 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate29.errors = [{instancePath:instancePath+"/limits/requests_per_minute",schemaPath:"request-limits.json/properties/requests_per_minute/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs10){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 1000000 || isNaN(data3)){
validate29.errors = [{instancePath:instancePath+"/limits/requests_per_minute",schemaPath:"request-limits.json/properties/requests_per_minute/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data3 < 1 || isNaN(data3)){
validate29.errors = [{instancePath:instancePath+"/limits/requests_per_minute",schemaPath:"request-limits.json/properties/requests_per_minute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid2 = _errs10 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.tokens_per_minute !== undefined){
let data4 = data2.tokens_per_minute;
const _errs12 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate29.errors = [{instancePath:instancePath+"/limits/tokens_per_minute",schemaPath:"request-limits.json/properties/tokens_per_minute/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs12){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 1000000000 || isNaN(data4)){
validate29.errors = [{instancePath:instancePath+"/limits/tokens_per_minute",schemaPath:"request-limits.json/properties/tokens_per_minute/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate29.errors = [{instancePath:instancePath+"/limits/tokens_per_minute",schemaPath:"request-limits.json/properties/tokens_per_minute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid2 = _errs12 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.concurrency !== undefined){
let data5 = data2.concurrency;
const _errs14 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate29.errors = [{instancePath:instancePath+"/limits/concurrency",schemaPath:"request-limits.json/properties/concurrency/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs14){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 1000000 || isNaN(data5)){
validate29.errors = [{instancePath:instancePath+"/limits/concurrency",schemaPath:"request-limits.json/properties/concurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data5 < 1 || isNaN(data5)){
validate29.errors = [{instancePath:instancePath+"/limits/concurrency",schemaPath:"request-limits.json/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid2 = _errs14 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.budget_cents !== undefined){
let data6 = data2.budget_cents;
const _errs16 = errors;
if(errors === _errs16){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
let missing0;
if(((data6.amount === undefined) && (missing0 = "amount")) || ((data6.window === undefined) && (missing0 = "window"))){
validate29.errors = [{instancePath:instancePath+"/limits/budget_cents",schemaPath:"request-limits.json/properties/budget_cents/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs18 = errors;
for(const key2 in data6){
if(!((key2 === "amount") || (key2 === "window"))){
validate29.errors = [{instancePath:instancePath+"/limits/budget_cents",schemaPath:"request-limits.json/properties/budget_cents/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs18 === errors){
if(data6.amount !== undefined){
let data7 = data6.amount;
const _errs19 = errors;
if(errors === _errs19){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 1000000000 || isNaN(data7)){
validate29.errors = [{instancePath:instancePath+"/limits/budget_cents/amount",schemaPath:"request-limits.json/properties/budget_cents/properties/amount/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}}];
return false;
}
else {
if(data7 <= 0 || isNaN(data7)){
validate29.errors = [{instancePath:instancePath+"/limits/budget_cents/amount",schemaPath:"request-limits.json/properties/budget_cents/properties/amount/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate29.errors = [{instancePath:instancePath+"/limits/budget_cents/amount",schemaPath:"request-limits.json/properties/budget_cents/properties/amount/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid3 = _errs19 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data6.window !== undefined){
const _errs21 = errors;
if(typeof data6.window !== "string"){
validate29.errors = [{instancePath:instancePath+"/limits/budget_cents/window",schemaPath:"request-limits.json/properties/budget_cents/properties/window/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid3 = _errs21 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
else {
validate29.errors = [{instancePath:instancePath+"/limits/budget_cents",schemaPath:"request-limits.json/properties/budget_cents/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid2 = _errs16 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
else {
validate29.errors = [{instancePath:instancePath+"/limits",schemaPath:"request-limits.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data9 = data.priority;
const _errs23 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate29.errors = [{instancePath:instancePath+"/priority",schemaPath:"#/properties/priority/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs23){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 1000 || isNaN(data9)){
validate29.errors = [{instancePath:instancePath+"/priority",schemaPath:"#/properties/priority/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000}}];
return false;
}
else {
if(data9 < -1000 || isNaN(data9)){
validate29.errors = [{instancePath:instancePath+"/priority",schemaPath:"#/properties/priority/minimum",keyword:"minimum",params:{comparison: ">=", limit: -1000}}];
return false;
}
}
}
}
var valid0 = _errs23 === errors;
if(valid0){
if(data.requests !== undefined){
let data10 = data.requests;
const _errs25 = errors;
if(errors === _errs25){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
let missing1;
if(((data10.limit === undefined) && (missing1 = "limit")) || ((data10.window === undefined) && (missing1 = "window"))){
validate29.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
const _errs27 = errors;
for(const key3 in data10){
if(!((key3 === "limit") || (key3 === "window"))){
validate29.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
if(_errs27 === errors){
if(data10.limit !== undefined){
let data11 = data10.limit;
const _errs28 = errors;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
validate29.errors = [{instancePath:instancePath+"/requests/limit",schemaPath:"#/properties/requests/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs28){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 1 || isNaN(data11)){
validate29.errors = [{instancePath:instancePath+"/requests/limit",schemaPath:"#/properties/requests/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
var valid4 = _errs28 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data10.window !== undefined){
const _errs30 = errors;
if(typeof data10.window !== "string"){
validate29.errors = [{instancePath:instancePath+"/requests/window",schemaPath:"#/properties/requests/properties/window/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid4 = _errs30 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate29.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate29.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate29.errors = vErrors;
return errors === 0;
}
validate29.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema101 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["id"],"properties":{"id":{"type":"string","format":"uuid","pattern":"^[0-9A-Fa-f]{8}-"},"name":{"type":"string","minLength":1},"kind":{"enum":["serverless","enterprise","dedicated"],"default":"serverless"},"plan":{"type":"string"},"zdr_required":{"type":"boolean","default":false},"models":{"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string"},"default":["*"]},"credits_cents":{"type":"integer","minimum":0,"maximum":9007199254},"client_profile":{"$ref":"switches.json#/$defs/client_profile"},"chat":{"$ref":"switches.json#/$defs/chat"},"messages":{"$ref":"switches.json#/$defs/messages"},"responses":{"$ref":"switches.json#/$defs/responses"},"tools":{"$ref":"switches.json#/$defs/tools"},"members":{"type":"array","items":{"$ref":"#/$defs/member"},"default":[]},"keys":{"type":"array","items":{"$ref":"#/$defs/key"},"default":[]}},"$defs":{"member":{"type":"object","additionalProperties":false,"required":["user"],"properties":{"user":{"type":"string","minLength":1,"maxLength":256},"role":{"enum":["owner","admin","member"],"default":"member"}}},"key":{"type":"object","additionalProperties":false,"required":["id"],"properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"},"user":{"type":"string"},"kind":{"enum":["serverless","pass","dedicated"],"default":"serverless"},"secret":{"type":"string","pattern":"^[\\x21-\\x7e]{8,512}$"},"sha256":{"type":"string","pattern":"^[0-9A-Fa-f]{64}$"},"endpoints":{"type":"array","uniqueItems":true,"items":{"type":"string"},"default":[]},"limits":{"$ref":"request-limits.json"},"client_profile":{"$ref":"switches.json#/$defs/client_profile"},"chat":{"$ref":"switches.json#/$defs/chat"},"messages":{"$ref":"switches.json#/$defs/messages"},"responses":{"$ref":"switches.json#/$defs/responses"},"tools":{"$ref":"switches.json#/$defs/tools"}}}}};
const schema102 = {"enum":["default","agents"]};
const schema115 = {"type":"object","additionalProperties":false,"required":["user"],"properties":{"user":{"type":"string","minLength":1,"maxLength":256},"role":{"enum":["owner","admin","member"],"default":"member"}}};
const formats14 = FORMATS.uuid;
const pattern34 = new RegExp("^[0-9A-Fa-f]{8}-", "u");
const schema103 = {"type":"object","additionalProperties":false,"properties":{"usage_chunks":{"$ref":"#/$defs/usage_chunks"}}};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate32.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "usage_chunks")){
validate32.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.usage_chunks !== undefined){
let data0 = data.usage_chunks;
if(!((data0 === "every") || (data0 === "last"))){
validate32.errors = [{instancePath:instancePath+"/usage_chunks",schemaPath:"#/$defs/usage_chunks/enum",keyword:"enum",params:{allowedValues: schema54.enum}}];
return false;
}
}
}
}
else {
validate32.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate32.errors = vErrors;
return errors === 0;
}
validate32.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema105 = {"type":"object","additionalProperties":false,"properties":{"adaptive_thinking":{"$ref":"#/$defs/adaptive_thinking"},"tool_images_without_vision":{"$ref":"#/$defs/tool_images_without_vision"},"input_tokens":{"$ref":"#/$defs/input_tokens"}}};

function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate34.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "adaptive_thinking") || (key0 === "tool_images_without_vision")) || (key0 === "input_tokens"))){
validate34.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.adaptive_thinking !== undefined){
let data0 = data.adaptive_thinking;
const _errs2 = errors;
if(!((((data0 === "on") || (data0 === "off")) || (data0 === true)) || (data0 === false))){
validate34.errors = [{instancePath:instancePath+"/adaptive_thinking",schemaPath:"#/$defs/adaptive_thinking/enum",keyword:"enum",params:{allowedValues: schema55.enum}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_images_without_vision !== undefined){
let data1 = data.tool_images_without_vision;
const _errs4 = errors;
if(!((data1 === "refuse") || (data1 === "describe"))){
validate34.errors = [{instancePath:instancePath+"/tool_images_without_vision",schemaPath:"#/$defs/tool_images_without_vision/enum",keyword:"enum",params:{allowedValues: schema56.enum}}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.input_tokens !== undefined){
let data2 = data.input_tokens;
const _errs6 = errors;
if(!((data2 === "total") || (data2 === "uncached"))){
validate34.errors = [{instancePath:instancePath+"/input_tokens",schemaPath:"#/$defs/input_tokens/enum",keyword:"enum",params:{allowedValues: schema57.enum}}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate34.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate34.errors = vErrors;
return errors === 0;
}
validate34.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema109 = {"type":"object","additionalProperties":false,"properties":{"unknown_tools":{"$ref":"#/$defs/unknown_tools"},"sequence_number":{"$ref":"#/$defs/sequence_number"},"untyped_items":{"$ref":"#/$defs/untyped_items"}}};

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate36.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "unknown_tools") || (key0 === "sequence_number")) || (key0 === "untyped_items"))){
validate36.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.unknown_tools !== undefined){
let data0 = data.unknown_tools;
const _errs2 = errors;
if(!((data0 === "reject") || (data0 === "drop"))){
validate36.errors = [{instancePath:instancePath+"/unknown_tools",schemaPath:"#/$defs/unknown_tools/enum",keyword:"enum",params:{allowedValues: schema58.enum}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sequence_number !== undefined){
const _errs4 = errors;
if(typeof data.sequence_number !== "boolean"){
validate36.errors = [{instancePath:instancePath+"/sequence_number",schemaPath:"#/$defs/sequence_number/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.untyped_items !== undefined){
let data2 = data.untyped_items;
const _errs7 = errors;
if(!((data2 === "refuse") || (data2 === "message"))){
validate36.errors = [{instancePath:instancePath+"/untyped_items",schemaPath:"#/$defs/untyped_items/enum",keyword:"enum",params:{allowedValues: schema60.enum}}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate36.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate36.errors = vErrors;
return errors === 0;
}
validate36.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema113 = {"type":"object","additionalProperties":false,"properties":{"empty_parameters":{"$ref":"#/$defs/empty_parameters"}}};

function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate38.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "empty_parameters")){
validate38.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.empty_parameters !== undefined){
let data0 = data.empty_parameters;
if(!((data0 === "refuse") || (data0 === "accept"))){
validate38.errors = [{instancePath:instancePath+"/empty_parameters",schemaPath:"#/$defs/empty_parameters/enum",keyword:"enum",params:{allowedValues: schema61.enum}}];
return false;
}
}
}
}
else {
validate38.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate38.errors = vErrors;
return errors === 0;
}
validate38.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema116 = {"type":"object","additionalProperties":false,"required":["id"],"properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"},"user":{"type":"string"},"kind":{"enum":["serverless","pass","dedicated"],"default":"serverless"},"secret":{"type":"string","pattern":"^[\\x21-\\x7e]{8,512}$"},"sha256":{"type":"string","pattern":"^[0-9A-Fa-f]{64}$"},"endpoints":{"type":"array","uniqueItems":true,"items":{"type":"string"},"default":[]},"limits":{"$ref":"request-limits.json"},"client_profile":{"$ref":"switches.json#/$defs/client_profile"},"chat":{"$ref":"switches.json#/$defs/chat"},"messages":{"$ref":"switches.json#/$defs/messages"},"responses":{"$ref":"switches.json#/$defs/responses"},"tools":{"$ref":"switches.json#/$defs/tools"}}};
const pattern36 = new RegExp("^[\\x21-\\x7e]{8,512}$", "u");
const pattern37 = new RegExp("^[0-9A-Fa-f]{64}$", "u");

function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate40.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
data.kind = "serverless";
}
if(data.endpoints === undefined){
data.endpoints = [];
}
let missing0;
if((data.id === undefined) && (missing0 = "id")){
validate40.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema116.properties, key0))){
validate40.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern33.test(data0)){
validate40.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"}}];
return false;
}
}
else {
validate40.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.user !== undefined){
const _errs4 = errors;
if(typeof data.user !== "string"){
validate40.errors = [{instancePath:instancePath+"/user",schemaPath:"#/properties/user/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data2 = data.kind;
const _errs6 = errors;
if(!(((data2 === "serverless") || (data2 === "pass")) || (data2 === "dedicated"))){
validate40.errors = [{instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/enum",keyword:"enum",params:{allowedValues: schema116.properties.kind.enum}}];
return false;
}
var valid0 = _errs6 === errors;
if(valid0){
if(data.secret !== undefined){
let data3 = data.secret;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data3 === "string"){
if(!pattern36.test(data3)){
validate40.errors = [{instancePath:instancePath+"/secret",schemaPath:"#/properties/secret/pattern",keyword:"pattern",params:{pattern: "^[\\x21-\\x7e]{8,512}$"}}];
return false;
}
}
else {
validate40.errors = [{instancePath:instancePath+"/secret",schemaPath:"#/properties/secret/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sha256 !== undefined){
let data4 = data.sha256;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data4 === "string"){
if(!pattern37.test(data4)){
validate40.errors = [{instancePath:instancePath+"/sha256",schemaPath:"#/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Fa-f]{64}$"}}];
return false;
}
}
else {
validate40.errors = [{instancePath:instancePath+"/sha256",schemaPath:"#/properties/sha256/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data5 = data.endpoints;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data5)){
var valid1 = true;
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
const _errs13 = errors;
if(typeof data5[i0] !== "string"){
validate40.errors = [{instancePath:instancePath+"/endpoints/" + i0,schemaPath:"#/properties/endpoints/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid1 = _errs13 === errors;
if(!valid1){
break;
}
}
if(valid1){
let i1 = data5.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data5[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate40.errors = [{instancePath:instancePath+"/endpoints",schemaPath:"#/properties/endpoints/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0}}];
return false;
break;
}
indices0[item0] = i1;
}
}
}
}
else {
validate40.errors = [{instancePath:instancePath+"/endpoints",schemaPath:"#/properties/endpoints/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs11 === errors;
if(valid0){
if(data.limits !== undefined){
let data7 = data.limits;
const _errs15 = errors;
const _errs16 = errors;
if(errors === _errs16){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
const _errs18 = errors;
for(const key1 in data7){
if(!((((key1 === "requests_per_minute") || (key1 === "tokens_per_minute")) || (key1 === "concurrency")) || (key1 === "budget_cents"))){
validate40.errors = [{instancePath:instancePath+"/limits",schemaPath:"request-limits.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs18 === errors){
if(data7.requests_per_minute !== undefined){
let data8 = data7.requests_per_minute;
const _errs19 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate40.errors = [{instancePath:instancePath+"/limits/requests_per_minute",schemaPath:"request-limits.json/properties/requests_per_minute/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs19){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 1000000 || isNaN(data8)){
validate40.errors = [{instancePath:instancePath+"/limits/requests_per_minute",schemaPath:"request-limits.json/properties/requests_per_minute/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data8 < 1 || isNaN(data8)){
validate40.errors = [{instancePath:instancePath+"/limits/requests_per_minute",schemaPath:"request-limits.json/properties/requests_per_minute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid4 = _errs19 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data7.tokens_per_minute !== undefined){
let data9 = data7.tokens_per_minute;
const _errs21 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate40.errors = [{instancePath:instancePath+"/limits/tokens_per_minute",schemaPath:"request-limits.json/properties/tokens_per_minute/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs21){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 1000000000 || isNaN(data9)){
validate40.errors = [{instancePath:instancePath+"/limits/tokens_per_minute",schemaPath:"request-limits.json/properties/tokens_per_minute/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}}];
return false;
}
else {
if(data9 < 1 || isNaN(data9)){
validate40.errors = [{instancePath:instancePath+"/limits/tokens_per_minute",schemaPath:"request-limits.json/properties/tokens_per_minute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid4 = _errs21 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data7.concurrency !== undefined){
let data10 = data7.concurrency;
const _errs23 = errors;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
validate40.errors = [{instancePath:instancePath+"/limits/concurrency",schemaPath:"request-limits.json/properties/concurrency/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs23){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 1000000 || isNaN(data10)){
validate40.errors = [{instancePath:instancePath+"/limits/concurrency",schemaPath:"request-limits.json/properties/concurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data10 < 1 || isNaN(data10)){
validate40.errors = [{instancePath:instancePath+"/limits/concurrency",schemaPath:"request-limits.json/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid4 = _errs23 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data7.budget_cents !== undefined){
let data11 = data7.budget_cents;
const _errs25 = errors;
if(errors === _errs25){
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
let missing1;
if(((data11.amount === undefined) && (missing1 = "amount")) || ((data11.window === undefined) && (missing1 = "window"))){
validate40.errors = [{instancePath:instancePath+"/limits/budget_cents",schemaPath:"request-limits.json/properties/budget_cents/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
const _errs27 = errors;
for(const key2 in data11){
if(!((key2 === "amount") || (key2 === "window"))){
validate40.errors = [{instancePath:instancePath+"/limits/budget_cents",schemaPath:"request-limits.json/properties/budget_cents/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs27 === errors){
if(data11.amount !== undefined){
let data12 = data11.amount;
const _errs28 = errors;
if(errors === _errs28){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 1000000000 || isNaN(data12)){
validate40.errors = [{instancePath:instancePath+"/limits/budget_cents/amount",schemaPath:"request-limits.json/properties/budget_cents/properties/amount/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}}];
return false;
}
else {
if(data12 <= 0 || isNaN(data12)){
validate40.errors = [{instancePath:instancePath+"/limits/budget_cents/amount",schemaPath:"request-limits.json/properties/budget_cents/properties/amount/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate40.errors = [{instancePath:instancePath+"/limits/budget_cents/amount",schemaPath:"request-limits.json/properties/budget_cents/properties/amount/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid5 = _errs28 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data11.window !== undefined){
const _errs30 = errors;
if(typeof data11.window !== "string"){
validate40.errors = [{instancePath:instancePath+"/limits/budget_cents/window",schemaPath:"request-limits.json/properties/budget_cents/properties/window/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid5 = _errs30 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
else {
validate40.errors = [{instancePath:instancePath+"/limits/budget_cents",schemaPath:"request-limits.json/properties/budget_cents/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid4 = _errs25 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
else {
validate40.errors = [{instancePath:instancePath+"/limits",schemaPath:"request-limits.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_profile !== undefined){
let data14 = data.client_profile;
const _errs32 = errors;
if(!((data14 === "default") || (data14 === "agents"))){
validate40.errors = [{instancePath:instancePath+"/client_profile",schemaPath:"switches.json#/$defs/client_profile/enum",keyword:"enum",params:{allowedValues: schema102.enum}}];
return false;
}
var valid0 = _errs32 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chat !== undefined){
const _errs34 = errors;
if(!(validate32.call(this, data.chat, {instancePath:instancePath+"/chat",parentData:data,parentDataProperty:"chat",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs34 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messages !== undefined){
const _errs35 = errors;
if(!(validate34.call(this, data.messages, {instancePath:instancePath+"/messages",parentData:data,parentDataProperty:"messages",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
var valid0 = _errs35 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.responses !== undefined){
const _errs36 = errors;
if(!(validate36.call(this, data.responses, {instancePath:instancePath+"/responses",parentData:data,parentDataProperty:"responses",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tools !== undefined){
const _errs37 = errors;
if(!(validate38.call(this, data.tools, {instancePath:instancePath+"/tools",parentData:data,parentDataProperty:"tools",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
var valid0 = _errs37 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate40.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate40.errors = vErrors;
return errors === 0;
}
validate40.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate31.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
data.kind = "serverless";
}
if(data.zdr_required === undefined){
data.zdr_required = false;
}
if(data.models === undefined){
data.models = ["*"];
}
if(data.members === undefined){
data.members = [];
}
if(data.keys === undefined){
data.keys = [];
}
let missing0;
if((data.id === undefined) && (missing0 = "id")){
validate31.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema101.properties, key0))){
validate31.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
if(errors === _errs2){
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern34.test(data0)){
validate31.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Fa-f]{8}-"}}];
return false;
}
else {
if(!(formats14(data0))){
validate31.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/format",keyword:"format",params:{format: "uuid"}}];
return false;
}
}
}
else {
validate31.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
validate31.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate31.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data2 = data.kind;
const _errs6 = errors;
if(!(((data2 === "serverless") || (data2 === "enterprise")) || (data2 === "dedicated"))){
validate31.errors = [{instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/enum",keyword:"enum",params:{allowedValues: schema101.properties.kind.enum}}];
return false;
}
var valid0 = _errs6 === errors;
if(valid0){
if(data.plan !== undefined){
const _errs7 = errors;
if(typeof data.plan !== "string"){
validate31.errors = [{instancePath:instancePath+"/plan",schemaPath:"#/properties/plan/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
const _errs9 = errors;
if(typeof data.zdr_required !== "boolean"){
validate31.errors = [{instancePath:instancePath+"/zdr_required",schemaPath:"#/properties/zdr_required/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs9 === errors;
if(valid0){
let data5 = data.models;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data5)){
if(data5.length < 1){
validate31.errors = [{instancePath:instancePath+"/models",schemaPath:"#/properties/models/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid1 = true;
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
const _errs13 = errors;
if(typeof data5[i0] !== "string"){
validate31.errors = [{instancePath:instancePath+"/models/" + i0,schemaPath:"#/properties/models/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid1 = _errs13 === errors;
if(!valid1){
break;
}
}
if(valid1){
let i1 = data5.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data5[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate31.errors = [{instancePath:instancePath+"/models",schemaPath:"#/properties/models/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0}}];
return false;
break;
}
indices0[item0] = i1;
}
}
}
}
}
else {
validate31.errors = [{instancePath:instancePath+"/models",schemaPath:"#/properties/models/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs11 === errors;
if(valid0){
if(data.credits_cents !== undefined){
let data7 = data.credits_cents;
const _errs15 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate31.errors = [{instancePath:instancePath+"/credits_cents",schemaPath:"#/properties/credits_cents/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs15){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 9007199254 || isNaN(data7)){
validate31.errors = [{instancePath:instancePath+"/credits_cents",schemaPath:"#/properties/credits_cents/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254}}];
return false;
}
else {
if(data7 < 0 || isNaN(data7)){
validate31.errors = [{instancePath:instancePath+"/credits_cents",schemaPath:"#/properties/credits_cents/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_profile !== undefined){
let data8 = data.client_profile;
const _errs17 = errors;
if(!((data8 === "default") || (data8 === "agents"))){
validate31.errors = [{instancePath:instancePath+"/client_profile",schemaPath:"switches.json#/$defs/client_profile/enum",keyword:"enum",params:{allowedValues: schema102.enum}}];
return false;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chat !== undefined){
const _errs19 = errors;
if(!(validate32.call(this, data.chat, {instancePath:instancePath+"/chat",parentData:data,parentDataProperty:"chat",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messages !== undefined){
const _errs20 = errors;
if(!(validate34.call(this, data.messages, {instancePath:instancePath+"/messages",parentData:data,parentDataProperty:"messages",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.responses !== undefined){
const _errs21 = errors;
if(!(validate36.call(this, data.responses, {instancePath:instancePath+"/responses",parentData:data,parentDataProperty:"responses",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tools !== undefined){
const _errs22 = errors;
if(!(validate38.call(this, data.tools, {instancePath:instancePath+"/tools",parentData:data,parentDataProperty:"tools",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data13 = data.members;
const _errs23 = errors;
if(errors === _errs23){
if(Array.isArray(data13)){
var valid4 = true;
const len1 = data13.length;
for(let i2=0; i2<len1; i2++){
let data14 = data13[i2];
const _errs25 = errors;
const _errs26 = errors;
if(errors === _errs26){
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(data14.role === undefined){
data14.role = "member";
}
let missing1;
if((data14.user === undefined) && (missing1 = "user")){
validate31.errors = [{instancePath:instancePath+"/members/" + i2,schemaPath:"#/$defs/member/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
const _errs28 = errors;
for(const key1 in data14){
if(!((key1 === "user") || (key1 === "role"))){
validate31.errors = [{instancePath:instancePath+"/members/" + i2,schemaPath:"#/$defs/member/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs28 === errors){
if(data14.user !== undefined){
let data15 = data14.user;
const _errs29 = errors;
if(errors === _errs29){
if(typeof data15 === "string"){
if(data15.length > 256){
validate31.errors = [{instancePath:instancePath+"/members/" + i2+"/user",schemaPath:"#/$defs/member/properties/user/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
else {
if(data15.length < 1){
validate31.errors = [{instancePath:instancePath+"/members/" + i2+"/user",schemaPath:"#/$defs/member/properties/user/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate31.errors = [{instancePath:instancePath+"/members/" + i2+"/user",schemaPath:"#/$defs/member/properties/user/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid6 = _errs29 === errors;
}
else {
var valid6 = true;
}
if(valid6){
let data16 = data14.role;
const _errs31 = errors;
if(!(((data16 === "owner") || (data16 === "admin")) || (data16 === "member"))){
validate31.errors = [{instancePath:instancePath+"/members/" + i2+"/role",schemaPath:"#/$defs/member/properties/role/enum",keyword:"enum",params:{allowedValues: schema115.properties.role.enum}}];
return false;
}
var valid6 = _errs31 === errors;
}
}
}
}
else {
validate31.errors = [{instancePath:instancePath+"/members/" + i2,schemaPath:"#/$defs/member/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid4 = _errs25 === errors;
if(!valid4){
break;
}
}
}
else {
validate31.errors = [{instancePath:instancePath+"/members",schemaPath:"#/properties/members/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs23 === errors;
if(valid0){
let data17 = data.keys;
const _errs32 = errors;
if(errors === _errs32){
if(Array.isArray(data17)){
var valid7 = true;
const len2 = data17.length;
for(let i3=0; i3<len2; i3++){
const _errs34 = errors;
if(!(validate40.call(this, data17[i3], {instancePath:instancePath+"/keys/" + i3,parentData:data17,parentDataProperty:i3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate40.errors : vErrors.concat(validate40.errors);
errors = vErrors.length;
}
var valid7 = _errs34 === errors;
if(!valid7){
break;
}
}
}
else {
validate31.errors = [{instancePath:instancePath+"/keys",schemaPath:"#/properties/keys/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs32 === errors;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate31.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate31.errors = vErrors;
return errors === 0;
}
validate31.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate0.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.brand === undefined){
data.brand = "service";
}
if(data.listen === undefined){
data.listen = {};
}
if(data.admin === undefined){
data.admin = {};
}
if(data.console === undefined){
data.console = {};
}
if(data.hosts === undefined){
data.hosts = {};
}
if(data.store === undefined){
data.store = "sqlite:./data/sluiceway.db";
}
if(data.limits_store === undefined){
data.limits_store = "memory";
}
if(data.cache_isolation === undefined){
data.cache_isolation = "zdr";
}
if(data.limits === undefined){
data.limits = {};
}
if(data.credits === undefined){
data.credits = {};
}
if(data.journal === undefined){
data.journal = "./data/journal";
}
if(data.retention_days === undefined){
data.retention_days = 30;
}
if(data.workers === undefined){
data.workers = 1;
}
if(data.drain_delay_seconds === undefined){
data.drain_delay_seconds = 0;
}
if(data.drain_seconds === undefined){
data.drain_seconds = 30;
}
if(data.timeouts === undefined){
data.timeouts = {};
}
if(data.body_limit_bytes === undefined){
data.body_limit_bytes = 52428800;
}
if(data.audio_limit_bytes === undefined){
data.audio_limit_bytes = 27262976;
}
if(data.audio_held_bytes === undefined){
data.audio_held_bytes = 1048576;
}
if(data.admission === undefined){
data.admission = {};
}
if(data.memory === undefined){
data.memory = {};
}
if(data.rate_limits_per_minute === undefined){
data.rate_limits_per_minute = {};
}
if(data.files === undefined){
data.files = {};
}
if(data.image_fetch === undefined){
data.image_fetch = {};
}
if(data.cors === undefined){
data.cors = {};
}
if(data.log === undefined){
data.log = {};
}
if(data.metrics === undefined){
data.metrics = {};
}
if(data.chat === undefined){
data.chat = {};
}
if(data.messages === undefined){
data.messages = {};
}
if(data.responses === undefined){
data.responses = {};
}
if(data.tools === undefined){
data.tools = {};
}
if(data.clamp_max_tokens === undefined){
data.clamp_max_tokens = ["messages"];
}
if(data.routing === undefined){
data.routing = {};
}
if(data.endpoints === undefined){
data.endpoints = [];
}
if(data.plans === undefined){
data.plans = {};
}
if(data.accounts === undefined){
data.accounts = [];
}
let missing0;
if((data.models === undefined) && (missing0 = "models")){
validate0.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema0.properties, key0))){
validate0.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.$schema !== undefined){
const _errs2 = errors;
if(typeof data.$schema !== "string"){
validate0.errors = [{instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data1 = data.brand;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
validate0.errors = [{instancePath:instancePath+"/brand",schemaPath:"#/properties/brand/pattern",keyword:"pattern",params:{pattern: "^[a-z][a-z0-9-]{0,31}$"}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/brand",schemaPath:"#/properties/brand/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs4 === errors;
if(valid0){
if(data.docs_url !== undefined){
let data2 = data.docs_url;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data2 === "string"){
if(!pattern1.test(data2)){
validate0.errors = [{instancePath:instancePath+"/docs_url",schemaPath:"#/properties/docs_url/pattern",keyword:"pattern",params:{pattern: "^https?://"}}];
return false;
}
else {
if(!(formats0(data2))){
validate0.errors = [{instancePath:instancePath+"/docs_url",schemaPath:"#/properties/docs_url/format",keyword:"format",params:{format: "uri"}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/docs_url",schemaPath:"#/properties/docs_url/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.topup_url !== undefined){
let data3 = data.topup_url;
const _errs8 = errors;
if(errors === _errs8){
if(errors === _errs8){
if(typeof data3 === "string"){
if(!pattern1.test(data3)){
validate0.errors = [{instancePath:instancePath+"/topup_url",schemaPath:"#/properties/topup_url/pattern",keyword:"pattern",params:{pattern: "^https?://"}}];
return false;
}
else {
if(!(formats0(data3))){
validate0.errors = [{instancePath:instancePath+"/topup_url",schemaPath:"#/properties/topup_url/format",keyword:"format",params:{format: "uri"}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/topup_url",schemaPath:"#/properties/topup_url/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data4 = data.listen;
const _errs10 = errors;
const _errs11 = errors;
if(errors === _errs11){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.host === undefined){
data4.host = "127.0.0.1";
}
if(data4.port === undefined){
data4.port = 8080;
}
if(data4.trusted_proxies === undefined){
data4.trusted_proxies = [];
}
if(data4.reuse_port === undefined){
data4.reuse_port = false;
}
const _errs13 = errors;
for(const key1 in data4){
if(!(((((key1 === "host") || (key1 === "port")) || (key1 === "trusted_proxies")) || (key1 === "reuse_port")) || (key1 === "tls"))){
validate0.errors = [{instancePath:instancePath+"/listen",schemaPath:"config/listen.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs13 === errors){
let data5 = data4.host;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data5 === "string"){
if(data5.length < 1){
validate0.errors = [{instancePath:instancePath+"/listen/host",schemaPath:"config/listen.json/properties/host/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/listen/host",schemaPath:"config/listen.json/properties/host/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid2 = _errs14 === errors;
if(valid2){
let data6 = data4.port;
const _errs16 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate0.errors = [{instancePath:instancePath+"/listen/port",schemaPath:"config/listen.json/properties/port/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs16){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 65535 || isNaN(data6)){
validate0.errors = [{instancePath:instancePath+"/listen/port",schemaPath:"config/listen.json/properties/port/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}}];
return false;
}
else {
if(data6 < 0 || isNaN(data6)){
validate0.errors = [{instancePath:instancePath+"/listen/port",schemaPath:"config/listen.json/properties/port/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid2 = _errs16 === errors;
if(valid2){
let data7 = data4.trusted_proxies;
const _errs18 = errors;
if(errors === _errs18){
if(Array.isArray(data7)){
var valid3 = true;
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
const _errs20 = errors;
if(typeof data7[i0] !== "string"){
validate0.errors = [{instancePath:instancePath+"/listen/trusted_proxies/" + i0,schemaPath:"config/listen.json/properties/trusted_proxies/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid3 = _errs20 === errors;
if(!valid3){
break;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/listen/trusted_proxies",schemaPath:"config/listen.json/properties/trusted_proxies/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid2 = _errs18 === errors;
if(valid2){
const _errs22 = errors;
if(typeof data4.reuse_port !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/listen/reuse_port",schemaPath:"config/listen.json/properties/reuse_port/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs22 === errors;
if(valid2){
if(data4.tls !== undefined){
let data10 = data4.tls;
const _errs24 = errors;
if(errors === _errs24){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
let missing1;
if(((data10.cert === undefined) && (missing1 = "cert")) || ((data10.key === undefined) && (missing1 = "key"))){
validate0.errors = [{instancePath:instancePath+"/listen/tls",schemaPath:"config/listen.json/properties/tls/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
const _errs26 = errors;
for(const key2 in data10){
if(!((key2 === "cert") || (key2 === "key"))){
validate0.errors = [{instancePath:instancePath+"/listen/tls",schemaPath:"config/listen.json/properties/tls/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs26 === errors){
if(data10.cert !== undefined){
let data11 = data10.cert;
const _errs27 = errors;
if(errors === _errs27){
if(typeof data11 === "string"){
if(data11.length < 1){
validate0.errors = [{instancePath:instancePath+"/listen/tls/cert",schemaPath:"config/listen.json/properties/tls/properties/cert/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/listen/tls/cert",schemaPath:"config/listen.json/properties/tls/properties/cert/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid4 = _errs27 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data10.key !== undefined){
let data12 = data10.key;
const _errs29 = errors;
if(errors === _errs29){
if(typeof data12 === "string"){
if(data12.length < 1){
validate0.errors = [{instancePath:instancePath+"/listen/tls/key",schemaPath:"config/listen.json/properties/tls/properties/key/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/listen/tls/key",schemaPath:"config/listen.json/properties/tls/properties/key/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid4 = _errs29 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/listen/tls",schemaPath:"config/listen.json/properties/tls/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid2 = _errs24 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/listen",schemaPath:"config/listen.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs10 === errors;
if(valid0){
const _errs31 = errors;
if(!(validate1.call(this, data.admin, {instancePath:instancePath+"/admin",parentData:data,parentDataProperty:"admin",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate1.errors : vErrors.concat(validate1.errors);
errors = vErrors.length;
}
var valid0 = _errs31 === errors;
if(valid0){
const _errs32 = errors;
if(!(validate6.call(this, data.console, {instancePath:instancePath+"/console",parentData:data,parentDataProperty:"console",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate6.errors : vErrors.concat(validate6.errors);
errors = vErrors.length;
}
var valid0 = _errs32 === errors;
if(valid0){
const _errs33 = errors;
if(!(validate10.call(this, data.hosts, {instancePath:instancePath+"/hosts",parentData:data,parentDataProperty:"hosts",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate10.errors : vErrors.concat(validate10.errors);
errors = vErrors.length;
}
var valid0 = _errs33 === errors;
if(valid0){
let data16 = data.store;
const _errs34 = errors;
if(errors === _errs34){
if(typeof data16 === "string"){
if(!pattern12.test(data16)){
validate0.errors = [{instancePath:instancePath+"/store",schemaPath:"#/properties/store/pattern",keyword:"pattern",params:{pattern: "^(sqlite:.+|postgres(ql)?://.+)$"}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/store",schemaPath:"#/properties/store/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs34 === errors;
if(valid0){
let data17 = data.limits_store;
const _errs36 = errors;
if(errors === _errs36){
if(typeof data17 === "string"){
if(!pattern13.test(data17)){
validate0.errors = [{instancePath:instancePath+"/limits_store",schemaPath:"#/properties/limits_store/pattern",keyword:"pattern",params:{pattern: "^(memory|rediss?://.+)$"}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/limits_store",schemaPath:"#/properties/limits_store/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs36 === errors;
if(valid0){
let data18 = data.cache_isolation;
const _errs38 = errors;
if(!(((data18 === "off") || (data18 === "account")) || (data18 === "zdr"))){
validate0.errors = [{instancePath:instancePath+"/cache_isolation",schemaPath:"#/properties/cache_isolation/enum",keyword:"enum",params:{allowedValues: schema0.properties.cache_isolation.enum}}];
return false;
}
var valid0 = _errs38 === errors;
if(valid0){
if(data.cache_isolation_key !== undefined){
let data19 = data.cache_isolation_key;
const _errs39 = errors;
if(errors === _errs39){
if(typeof data19 === "string"){
if(data19.length < 16){
validate0.errors = [{instancePath:instancePath+"/cache_isolation_key",schemaPath:"#/properties/cache_isolation_key/minLength",keyword:"minLength",params:{limit: 16}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/cache_isolation_key",schemaPath:"#/properties/cache_isolation_key/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs39 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data20 = data.limits;
const _errs41 = errors;
if(errors === _errs41){
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
const _errs43 = errors;
for(const key3 in data20){
if(!(key3 === "processes")){
validate0.errors = [{instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
if(_errs43 === errors){
if(data20.processes !== undefined){
let data21 = data20.processes;
const _errs44 = errors;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
validate0.errors = [{instancePath:instancePath+"/limits/processes",schemaPath:"#/properties/limits/properties/processes/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs44){
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 10000 || isNaN(data21)){
validate0.errors = [{instancePath:instancePath+"/limits/processes",schemaPath:"#/properties/limits/properties/processes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000}}];
return false;
}
else {
if(data21 < 1 || isNaN(data21)){
validate0.errors = [{instancePath:instancePath+"/limits/processes",schemaPath:"#/properties/limits/properties/processes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs41 === errors;
if(valid0){
let data22 = data.credits;
const _errs46 = errors;
if(errors === _errs46){
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if(data22.broken_streams === undefined){
data22.broken_streams = "free";
}
const _errs48 = errors;
for(const key4 in data22){
if(!(key4 === "broken_streams")){
validate0.errors = [{instancePath:instancePath+"/credits",schemaPath:"#/properties/credits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}}];
return false;
break;
}
}
if(_errs48 === errors){
let data23 = data22.broken_streams;
if(!((data23 === "free") || (data23 === "delivered"))){
validate0.errors = [{instancePath:instancePath+"/credits/broken_streams",schemaPath:"#/properties/credits/properties/broken_streams/enum",keyword:"enum",params:{allowedValues: schema0.properties.credits.properties.broken_streams.enum}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/credits",schemaPath:"#/properties/credits/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs46 === errors;
if(valid0){
let data24 = data.journal;
const _errs50 = errors;
if(errors === _errs50){
if(typeof data24 === "string"){
if(data24.length < 1){
validate0.errors = [{instancePath:instancePath+"/journal",schemaPath:"#/properties/journal/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/journal",schemaPath:"#/properties/journal/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs50 === errors;
if(valid0){
if(data.alerts !== undefined){
let data25 = data.alerts;
const _errs52 = errors;
const _errs53 = errors;
if(errors === _errs53){
if(data25 && typeof data25 == "object" && !Array.isArray(data25)){
if(data25.credit_below_cents === undefined){
data25.credit_below_cents = [];
}
if(data25.quota_used === undefined){
data25.quota_used = [];
}
if(data25.backend_down_seconds === undefined){
data25.backend_down_seconds = 60;
}
let missing2;
if(((data25.webhook === undefined) && (missing2 = "webhook")) || ((data25.secret === undefined) && (missing2 = "secret"))){
validate0.errors = [{instancePath:instancePath+"/alerts",schemaPath:"config/alerts.json/required",keyword:"required",params:{missingProperty: missing2}}];
return false;
}
else {
const _errs55 = errors;
for(const key5 in data25){
if(!(((((key5 === "webhook") || (key5 === "secret")) || (key5 === "credit_below_cents")) || (key5 === "quota_used")) || (key5 === "backend_down_seconds"))){
validate0.errors = [{instancePath:instancePath+"/alerts",schemaPath:"config/alerts.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}}];
return false;
break;
}
}
if(_errs55 === errors){
if(data25.webhook !== undefined){
let data26 = data25.webhook;
const _errs56 = errors;
if(errors === _errs56){
if(errors === _errs56){
if(typeof data26 === "string"){
if(!pattern14.test(data26)){
validate0.errors = [{instancePath:instancePath+"/alerts/webhook",schemaPath:"config/alerts.json/properties/webhook/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s/?#@]+([/?#]|$)"}}];
return false;
}
else {
if(!(formats0(data26))){
validate0.errors = [{instancePath:instancePath+"/alerts/webhook",schemaPath:"config/alerts.json/properties/webhook/format",keyword:"format",params:{format: "uri"}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/alerts/webhook",schemaPath:"config/alerts.json/properties/webhook/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid8 = _errs56 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data25.secret !== undefined){
let data27 = data25.secret;
const _errs58 = errors;
if(errors === _errs58){
if(typeof data27 === "string"){
if(!pattern15.test(data27)){
validate0.errors = [{instancePath:instancePath+"/alerts/secret",schemaPath:"config/alerts.json/properties/secret/pattern",keyword:"pattern",params:{pattern: "^(?:whsec_)?(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$"}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/alerts/secret",schemaPath:"config/alerts.json/properties/secret/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid8 = _errs58 === errors;
}
else {
var valid8 = true;
}
if(valid8){
let data28 = data25.credit_below_cents;
const _errs60 = errors;
if(errors === _errs60){
if(Array.isArray(data28)){
if(data28.length > 20){
validate0.errors = [{instancePath:instancePath+"/alerts/credit_below_cents",schemaPath:"config/alerts.json/properties/credit_below_cents/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid9 = true;
const len1 = data28.length;
for(let i1=0; i1<len1; i1++){
let data29 = data28[i1];
const _errs62 = errors;
if(!(((typeof data29 == "number") && (!(data29 % 1) && !isNaN(data29))) && (isFinite(data29)))){
validate0.errors = [{instancePath:instancePath+"/alerts/credit_below_cents/" + i1,schemaPath:"config/alerts.json/properties/credit_below_cents/items/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs62){
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 > 1000000000 || isNaN(data29)){
validate0.errors = [{instancePath:instancePath+"/alerts/credit_below_cents/" + i1,schemaPath:"config/alerts.json/properties/credit_below_cents/items/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}}];
return false;
}
else {
if(data29 < -1000000000 || isNaN(data29)){
validate0.errors = [{instancePath:instancePath+"/alerts/credit_below_cents/" + i1,schemaPath:"config/alerts.json/properties/credit_below_cents/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: -1000000000}}];
return false;
}
}
}
}
var valid9 = _errs62 === errors;
if(!valid9){
break;
}
}
if(valid9){
let i2 = data28.length;
let j0;
if(i2 > 1){
const indices0 = {};
for(;i2--;){
let item0 = data28[i2];
if(!(((typeof item0 == "number") && (!(item0 % 1) && !isNaN(item0))) && (isFinite(item0)))){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
validate0.errors = [{instancePath:instancePath+"/alerts/credit_below_cents",schemaPath:"config/alerts.json/properties/credit_below_cents/uniqueItems",keyword:"uniqueItems",params:{i: i2, j: j0}}];
return false;
break;
}
indices0[item0] = i2;
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/alerts/credit_below_cents",schemaPath:"config/alerts.json/properties/credit_below_cents/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid8 = _errs60 === errors;
if(valid8){
let data30 = data25.quota_used;
const _errs64 = errors;
if(errors === _errs64){
if(Array.isArray(data30)){
if(data30.length > 20){
validate0.errors = [{instancePath:instancePath+"/alerts/quota_used",schemaPath:"config/alerts.json/properties/quota_used/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid11 = true;
const len2 = data30.length;
for(let i3=0; i3<len2; i3++){
let data31 = data30[i3];
const _errs66 = errors;
if(errors === _errs66){
if((typeof data31 == "number") && (isFinite(data31))){
if(data31 > 1 || isNaN(data31)){
validate0.errors = [{instancePath:instancePath+"/alerts/quota_used/" + i3,schemaPath:"config/alerts.json/properties/quota_used/items/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data31 <= 0 || isNaN(data31)){
validate0.errors = [{instancePath:instancePath+"/alerts/quota_used/" + i3,schemaPath:"config/alerts.json/properties/quota_used/items/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/alerts/quota_used/" + i3,schemaPath:"config/alerts.json/properties/quota_used/items/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid11 = _errs66 === errors;
if(!valid11){
break;
}
}
if(valid11){
let i4 = data30.length;
let j1;
if(i4 > 1){
const indices1 = {};
for(;i4--;){
let item1 = data30[i4];
if(!((typeof item1 == "number") && (isFinite(item1)))){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
validate0.errors = [{instancePath:instancePath+"/alerts/quota_used",schemaPath:"config/alerts.json/properties/quota_used/uniqueItems",keyword:"uniqueItems",params:{i: i4, j: j1}}];
return false;
break;
}
indices1[item1] = i4;
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/alerts/quota_used",schemaPath:"config/alerts.json/properties/quota_used/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid8 = _errs64 === errors;
if(valid8){
let data32 = data25.backend_down_seconds;
const _errs68 = errors;
if(errors === _errs68){
if((typeof data32 == "number") && (isFinite(data32))){
if(data32 > 86400 || isNaN(data32)){
validate0.errors = [{instancePath:instancePath+"/alerts/backend_down_seconds",schemaPath:"config/alerts.json/properties/backend_down_seconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400}}];
return false;
}
else {
if(data32 < 1 || isNaN(data32)){
validate0.errors = [{instancePath:instancePath+"/alerts/backend_down_seconds",schemaPath:"config/alerts.json/properties/backend_down_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/alerts/backend_down_seconds",schemaPath:"config/alerts.json/properties/backend_down_seconds/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid8 = _errs68 === errors;
}
}
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/alerts",schemaPath:"config/alerts.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs52 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data33 = data.retention_days;
const _errs70 = errors;
if(!(((typeof data33 == "number") && (!(data33 % 1) && !isNaN(data33))) && (isFinite(data33)))){
validate0.errors = [{instancePath:instancePath+"/retention_days",schemaPath:"#/properties/retention_days/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs70){
if((typeof data33 == "number") && (isFinite(data33))){
if(data33 > 36500 || isNaN(data33)){
validate0.errors = [{instancePath:instancePath+"/retention_days",schemaPath:"#/properties/retention_days/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500}}];
return false;
}
else {
if(data33 < 1 || isNaN(data33)){
validate0.errors = [{instancePath:instancePath+"/retention_days",schemaPath:"#/properties/retention_days/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs70 === errors;
if(valid0){
let data34 = data.workers;
const _errs72 = errors;
if(!(((typeof data34 == "number") && (!(data34 % 1) && !isNaN(data34))) && (isFinite(data34)))){
validate0.errors = [{instancePath:instancePath+"/workers",schemaPath:"#/properties/workers/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs72){
if((typeof data34 == "number") && (isFinite(data34))){
if(data34 > 256 || isNaN(data34)){
validate0.errors = [{instancePath:instancePath+"/workers",schemaPath:"#/properties/workers/maximum",keyword:"maximum",params:{comparison: "<=", limit: 256}}];
return false;
}
else {
if(data34 < 1 || isNaN(data34)){
validate0.errors = [{instancePath:instancePath+"/workers",schemaPath:"#/properties/workers/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs72 === errors;
if(valid0){
let data35 = data.drain_delay_seconds;
const _errs74 = errors;
if(errors === _errs74){
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 > 3600 || isNaN(data35)){
validate0.errors = [{instancePath:instancePath+"/drain_delay_seconds",schemaPath:"#/properties/drain_delay_seconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600}}];
return false;
}
else {
if(data35 < 0 || isNaN(data35)){
validate0.errors = [{instancePath:instancePath+"/drain_delay_seconds",schemaPath:"#/properties/drain_delay_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/drain_delay_seconds",schemaPath:"#/properties/drain_delay_seconds/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid0 = _errs74 === errors;
if(valid0){
let data36 = data.drain_seconds;
const _errs76 = errors;
if(errors === _errs76){
if((typeof data36 == "number") && (isFinite(data36))){
if(data36 > 86400 || isNaN(data36)){
validate0.errors = [{instancePath:instancePath+"/drain_seconds",schemaPath:"#/properties/drain_seconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400}}];
return false;
}
else {
if(data36 < 0 || isNaN(data36)){
validate0.errors = [{instancePath:instancePath+"/drain_seconds",schemaPath:"#/properties/drain_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/drain_seconds",schemaPath:"#/properties/drain_seconds/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid0 = _errs76 === errors;
if(valid0){
const _errs78 = errors;
if(!(validate12.call(this, data.timeouts, {instancePath:instancePath+"/timeouts",parentData:data,parentDataProperty:"timeouts",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
var valid0 = _errs78 === errors;
if(valid0){
let data38 = data.body_limit_bytes;
const _errs79 = errors;
if(!(((typeof data38 == "number") && (!(data38 % 1) && !isNaN(data38))) && (isFinite(data38)))){
validate0.errors = [{instancePath:instancePath+"/body_limit_bytes",schemaPath:"#/properties/body_limit_bytes/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs79){
if((typeof data38 == "number") && (isFinite(data38))){
if(data38 > 536870912 || isNaN(data38)){
validate0.errors = [{instancePath:instancePath+"/body_limit_bytes",schemaPath:"#/properties/body_limit_bytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 536870912}}];
return false;
}
else {
if(data38 < 1024 || isNaN(data38)){
validate0.errors = [{instancePath:instancePath+"/body_limit_bytes",schemaPath:"#/properties/body_limit_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}}];
return false;
}
}
}
}
var valid0 = _errs79 === errors;
if(valid0){
let data39 = data.audio_limit_bytes;
const _errs81 = errors;
if(!(((typeof data39 == "number") && (!(data39 % 1) && !isNaN(data39))) && (isFinite(data39)))){
validate0.errors = [{instancePath:instancePath+"/audio_limit_bytes",schemaPath:"#/properties/audio_limit_bytes/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs81){
if((typeof data39 == "number") && (isFinite(data39))){
if(data39 > 4294967296 || isNaN(data39)){
validate0.errors = [{instancePath:instancePath+"/audio_limit_bytes",schemaPath:"#/properties/audio_limit_bytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 4294967296}}];
return false;
}
else {
if(data39 < 1024 || isNaN(data39)){
validate0.errors = [{instancePath:instancePath+"/audio_limit_bytes",schemaPath:"#/properties/audio_limit_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}}];
return false;
}
}
}
}
var valid0 = _errs81 === errors;
if(valid0){
let data40 = data.audio_held_bytes;
const _errs83 = errors;
if(!(((typeof data40 == "number") && (!(data40 % 1) && !isNaN(data40))) && (isFinite(data40)))){
validate0.errors = [{instancePath:instancePath+"/audio_held_bytes",schemaPath:"#/properties/audio_held_bytes/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs83){
if((typeof data40 == "number") && (isFinite(data40))){
if(data40 > 67108864 || isNaN(data40)){
validate0.errors = [{instancePath:instancePath+"/audio_held_bytes",schemaPath:"#/properties/audio_held_bytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 67108864}}];
return false;
}
else {
if(data40 < 1024 || isNaN(data40)){
validate0.errors = [{instancePath:instancePath+"/audio_held_bytes",schemaPath:"#/properties/audio_held_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}}];
return false;
}
}
}
}
var valid0 = _errs83 === errors;
if(valid0){
const _errs85 = errors;
if(!(validate14.call(this, data.admission, {instancePath:instancePath+"/admission",parentData:data,parentDataProperty:"admission",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
var valid0 = _errs85 === errors;
if(valid0){
let data42 = data.memory;
const _errs86 = errors;
const _errs87 = errors;
if(errors === _errs87){
if(data42 && typeof data42 == "object" && !Array.isArray(data42)){
if(data42.account_share === undefined){
data42.account_share = 0.5;
}
if(data42.wait_ms === undefined){
data42.wait_ms = 5000;
}
if(data42.idle_ms === undefined){
data42.idle_ms = 10000;
}
const _errs89 = errors;
for(const key6 in data42){
if(!((((key6 === "bodies_bytes") || (key6 === "account_share")) || (key6 === "wait_ms")) || (key6 === "idle_ms"))){
validate0.errors = [{instancePath:instancePath+"/memory",schemaPath:"config/memory.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}}];
return false;
break;
}
}
if(_errs89 === errors){
if(data42.bodies_bytes !== undefined){
let data43 = data42.bodies_bytes;
const _errs90 = errors;
if(!(((typeof data43 == "number") && (!(data43 % 1) && !isNaN(data43))) && (isFinite(data43)))){
validate0.errors = [{instancePath:instancePath+"/memory/bodies_bytes",schemaPath:"config/memory.json/properties/bodies_bytes/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs90){
if((typeof data43 == "number") && (isFinite(data43))){
if(data43 > 1099511627776 || isNaN(data43)){
validate0.errors = [{instancePath:instancePath+"/memory/bodies_bytes",schemaPath:"config/memory.json/properties/bodies_bytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1099511627776}}];
return false;
}
else {
if(data43 < 1048576 || isNaN(data43)){
validate0.errors = [{instancePath:instancePath+"/memory/bodies_bytes",schemaPath:"config/memory.json/properties/bodies_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1048576}}];
return false;
}
}
}
}
var valid14 = _errs90 === errors;
}
else {
var valid14 = true;
}
if(valid14){
let data44 = data42.account_share;
const _errs92 = errors;
if(errors === _errs92){
if((typeof data44 == "number") && (isFinite(data44))){
if(data44 > 1 || isNaN(data44)){
validate0.errors = [{instancePath:instancePath+"/memory/account_share",schemaPath:"config/memory.json/properties/account_share/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data44 <= 0 || isNaN(data44)){
validate0.errors = [{instancePath:instancePath+"/memory/account_share",schemaPath:"config/memory.json/properties/account_share/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/memory/account_share",schemaPath:"config/memory.json/properties/account_share/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid14 = _errs92 === errors;
if(valid14){
let data45 = data42.wait_ms;
const _errs94 = errors;
if(!(((typeof data45 == "number") && (!(data45 % 1) && !isNaN(data45))) && (isFinite(data45)))){
validate0.errors = [{instancePath:instancePath+"/memory/wait_ms",schemaPath:"config/memory.json/properties/wait_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs94){
if((typeof data45 == "number") && (isFinite(data45))){
if(data45 > 300000 || isNaN(data45)){
validate0.errors = [{instancePath:instancePath+"/memory/wait_ms",schemaPath:"config/memory.json/properties/wait_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 300000}}];
return false;
}
else {
if(data45 < 0 || isNaN(data45)){
validate0.errors = [{instancePath:instancePath+"/memory/wait_ms",schemaPath:"config/memory.json/properties/wait_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid14 = _errs94 === errors;
if(valid14){
let data46 = data42.idle_ms;
const _errs96 = errors;
if(!(((typeof data46 == "number") && (!(data46 % 1) && !isNaN(data46))) && (isFinite(data46)))){
validate0.errors = [{instancePath:instancePath+"/memory/idle_ms",schemaPath:"config/memory.json/properties/idle_ms/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs96){
if((typeof data46 == "number") && (isFinite(data46))){
if(data46 > 86400000 || isNaN(data46)){
validate0.errors = [{instancePath:instancePath+"/memory/idle_ms",schemaPath:"config/memory.json/properties/idle_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400000}}];
return false;
}
else {
if(data46 < 100 || isNaN(data46)){
validate0.errors = [{instancePath:instancePath+"/memory/idle_ms",schemaPath:"config/memory.json/properties/idle_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100}}];
return false;
}
}
}
}
var valid14 = _errs96 === errors;
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/memory",schemaPath:"config/memory.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs86 === errors;
if(valid0){
const _errs98 = errors;
if(!(validate16.call(this, data.rate_limits_per_minute, {instancePath:instancePath+"/rate_limits_per_minute",parentData:data,parentDataProperty:"rate_limits_per_minute",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate16.errors : vErrors.concat(validate16.errors);
errors = vErrors.length;
}
var valid0 = _errs98 === errors;
if(valid0){
let data48 = data.files;
const _errs99 = errors;
const _errs100 = errors;
if(errors === _errs100){
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
if(data48.path === undefined){
data48.path = "./data/files";
}
if(data48.max_bytes === undefined){
data48.max_bytes = 10485760;
}
if(data48.max_total_bytes_per_user === undefined){
data48.max_total_bytes_per_user = 1073741824;
}
if(data48.max_files_per_user === undefined){
data48.max_files_per_user = 1000;
}
if(data48.retention_days === undefined){
data48.retention_days = 30;
}
const _errs102 = errors;
for(const key7 in data48){
if(!(((((key7 === "path") || (key7 === "max_bytes")) || (key7 === "max_total_bytes_per_user")) || (key7 === "max_files_per_user")) || (key7 === "retention_days"))){
validate0.errors = [{instancePath:instancePath+"/files",schemaPath:"config/files.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}}];
return false;
break;
}
}
if(_errs102 === errors){
let data49 = data48.path;
const _errs103 = errors;
if(errors === _errs103){
if(typeof data49 === "string"){
if(data49.length < 1){
validate0.errors = [{instancePath:instancePath+"/files/path",schemaPath:"config/files.json/properties/path/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/files/path",schemaPath:"config/files.json/properties/path/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid16 = _errs103 === errors;
if(valid16){
let data50 = data48.max_bytes;
const _errs105 = errors;
if(!(((typeof data50 == "number") && (!(data50 % 1) && !isNaN(data50))) && (isFinite(data50)))){
validate0.errors = [{instancePath:instancePath+"/files/max_bytes",schemaPath:"config/files.json/properties/max_bytes/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs105){
if((typeof data50 == "number") && (isFinite(data50))){
if(data50 > 536870912 || isNaN(data50)){
validate0.errors = [{instancePath:instancePath+"/files/max_bytes",schemaPath:"config/files.json/properties/max_bytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 536870912}}];
return false;
}
else {
if(data50 < 1024 || isNaN(data50)){
validate0.errors = [{instancePath:instancePath+"/files/max_bytes",schemaPath:"config/files.json/properties/max_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}}];
return false;
}
}
}
}
var valid16 = _errs105 === errors;
if(valid16){
let data51 = data48.max_total_bytes_per_user;
const _errs107 = errors;
if(!(((typeof data51 == "number") && (!(data51 % 1) && !isNaN(data51))) && (isFinite(data51)))){
validate0.errors = [{instancePath:instancePath+"/files/max_total_bytes_per_user",schemaPath:"config/files.json/properties/max_total_bytes_per_user/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs107){
if((typeof data51 == "number") && (isFinite(data51))){
if(data51 > 1099511627776 || isNaN(data51)){
validate0.errors = [{instancePath:instancePath+"/files/max_total_bytes_per_user",schemaPath:"config/files.json/properties/max_total_bytes_per_user/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1099511627776}}];
return false;
}
else {
if(data51 < 1024 || isNaN(data51)){
validate0.errors = [{instancePath:instancePath+"/files/max_total_bytes_per_user",schemaPath:"config/files.json/properties/max_total_bytes_per_user/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}}];
return false;
}
}
}
}
var valid16 = _errs107 === errors;
if(valid16){
let data52 = data48.max_files_per_user;
const _errs109 = errors;
if(!(((typeof data52 == "number") && (!(data52 % 1) && !isNaN(data52))) && (isFinite(data52)))){
validate0.errors = [{instancePath:instancePath+"/files/max_files_per_user",schemaPath:"config/files.json/properties/max_files_per_user/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs109){
if((typeof data52 == "number") && (isFinite(data52))){
if(data52 > 10000 || isNaN(data52)){
validate0.errors = [{instancePath:instancePath+"/files/max_files_per_user",schemaPath:"config/files.json/properties/max_files_per_user/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000}}];
return false;
}
else {
if(data52 < 1 || isNaN(data52)){
validate0.errors = [{instancePath:instancePath+"/files/max_files_per_user",schemaPath:"config/files.json/properties/max_files_per_user/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid16 = _errs109 === errors;
if(valid16){
let data53 = data48.retention_days;
const _errs111 = errors;
if(!(((typeof data53 == "number") && (!(data53 % 1) && !isNaN(data53))) && (isFinite(data53)))){
validate0.errors = [{instancePath:instancePath+"/files/retention_days",schemaPath:"config/files.json/properties/retention_days/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs111){
if((typeof data53 == "number") && (isFinite(data53))){
if(data53 > 3650 || isNaN(data53)){
validate0.errors = [{instancePath:instancePath+"/files/retention_days",schemaPath:"config/files.json/properties/retention_days/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3650}}];
return false;
}
else {
if(data53 < 1 || isNaN(data53)){
validate0.errors = [{instancePath:instancePath+"/files/retention_days",schemaPath:"config/files.json/properties/retention_days/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid16 = _errs111 === errors;
}
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/files",schemaPath:"config/files.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs99 === errors;
if(valid0){
let data54 = data.image_fetch;
const _errs113 = errors;
if(errors === _errs113){
if(data54 && typeof data54 == "object" && !Array.isArray(data54)){
if(data54.allow === undefined){
data54.allow = [];
}
const _errs115 = errors;
for(const key8 in data54){
if(!(key8 === "allow")){
validate0.errors = [{instancePath:instancePath+"/image_fetch",schemaPath:"#/properties/image_fetch/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}}];
return false;
break;
}
}
if(_errs115 === errors){
let data55 = data54.allow;
const _errs116 = errors;
if(errors === _errs116){
if(Array.isArray(data55)){
var valid18 = true;
const len3 = data55.length;
for(let i5=0; i5<len3; i5++){
let data56 = data55[i5];
const _errs118 = errors;
if(errors === _errs118){
if(typeof data56 === "string"){
if(data56.length < 1){
validate0.errors = [{instancePath:instancePath+"/image_fetch/allow/" + i5,schemaPath:"#/properties/image_fetch/properties/allow/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/image_fetch/allow/" + i5,schemaPath:"#/properties/image_fetch/properties/allow/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid18 = _errs118 === errors;
if(!valid18){
break;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/image_fetch/allow",schemaPath:"#/properties/image_fetch/properties/allow/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/image_fetch",schemaPath:"#/properties/image_fetch/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs113 === errors;
if(valid0){
let data57 = data.cors;
const _errs120 = errors;
if(errors === _errs120){
if(data57 && typeof data57 == "object" && !Array.isArray(data57)){
if(data57.origins === undefined){
data57.origins = [];
}
const _errs122 = errors;
for(const key9 in data57){
if(!(key9 === "origins")){
validate0.errors = [{instancePath:instancePath+"/cors",schemaPath:"#/properties/cors/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}}];
return false;
break;
}
}
if(_errs122 === errors){
let data58 = data57.origins;
const _errs123 = errors;
if(errors === _errs123){
if(Array.isArray(data58)){
var valid20 = true;
const len4 = data58.length;
for(let i6=0; i6<len4; i6++){
let data59 = data58[i6];
const _errs125 = errors;
if(errors === _errs125){
if(typeof data59 === "string"){
if(!pattern16.test(data59)){
validate0.errors = [{instancePath:instancePath+"/cors/origins/" + i6,schemaPath:"#/properties/cors/properties/origins/items/pattern",keyword:"pattern",params:{pattern: "^(\\*|https?://[^/?#\\s]+)$"}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/cors/origins/" + i6,schemaPath:"#/properties/cors/properties/origins/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid20 = _errs125 === errors;
if(!valid20){
break;
}
}
if(valid20){
let i7 = data58.length;
let j2;
if(i7 > 1){
const indices2 = {};
for(;i7--;){
let item2 = data58[i7];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
validate0.errors = [{instancePath:instancePath+"/cors/origins",schemaPath:"#/properties/cors/properties/origins/uniqueItems",keyword:"uniqueItems",params:{i: i7, j: j2}}];
return false;
break;
}
indices2[item2] = i7;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/cors/origins",schemaPath:"#/properties/cors/properties/origins/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/cors",schemaPath:"#/properties/cors/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs120 === errors;
if(valid0){
let data60 = data.log;
const _errs127 = errors;
if(errors === _errs127){
if(data60 && typeof data60 == "object" && !Array.isArray(data60)){
if(data60.level === undefined){
data60.level = "info";
}
if(data60.format === undefined){
data60.format = "json";
}
if(data60.client_address === undefined){
data60.client_address = false;
}
const _errs129 = errors;
for(const key10 in data60){
if(!(((key10 === "level") || (key10 === "format")) || (key10 === "client_address"))){
validate0.errors = [{instancePath:instancePath+"/log",schemaPath:"#/properties/log/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10}}];
return false;
break;
}
}
if(_errs129 === errors){
let data61 = data60.level;
const _errs130 = errors;
if(!(((((((data61 === "silent") || (data61 === "fatal")) || (data61 === "error")) || (data61 === "warn")) || (data61 === "info")) || (data61 === "debug")) || (data61 === "trace"))){
validate0.errors = [{instancePath:instancePath+"/log/level",schemaPath:"#/properties/log/properties/level/enum",keyword:"enum",params:{allowedValues: schema0.properties.log.properties.level.enum}}];
return false;
}
var valid22 = _errs130 === errors;
if(valid22){
let data62 = data60.format;
const _errs131 = errors;
if(!((data62 === "text") || (data62 === "json"))){
validate0.errors = [{instancePath:instancePath+"/log/format",schemaPath:"#/properties/log/properties/format/enum",keyword:"enum",params:{allowedValues: schema0.properties.log.properties.format.enum}}];
return false;
}
var valid22 = _errs131 === errors;
if(valid22){
const _errs132 = errors;
if(typeof data60.client_address !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/log/client_address",schemaPath:"#/properties/log/properties/client_address/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid22 = _errs132 === errors;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/log",schemaPath:"#/properties/log/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs127 === errors;
if(valid0){
let data64 = data.metrics;
const _errs134 = errors;
if(errors === _errs134){
if(data64 && typeof data64 == "object" && !Array.isArray(data64)){
if(data64.accounts === undefined){
data64.accounts = 0;
}
const _errs136 = errors;
for(const key11 in data64){
if(!(key11 === "accounts")){
validate0.errors = [{instancePath:instancePath+"/metrics",schemaPath:"#/properties/metrics/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}}];
return false;
break;
}
}
if(_errs136 === errors){
let data65 = data64.accounts;
const _errs137 = errors;
if(!(((typeof data65 == "number") && (!(data65 % 1) && !isNaN(data65))) && (isFinite(data65)))){
validate0.errors = [{instancePath:instancePath+"/metrics/accounts",schemaPath:"#/properties/metrics/properties/accounts/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs137){
if((typeof data65 == "number") && (isFinite(data65))){
if(data65 > 1000 || isNaN(data65)){
validate0.errors = [{instancePath:instancePath+"/metrics/accounts",schemaPath:"#/properties/metrics/properties/accounts/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000}}];
return false;
}
else {
if(data65 < 0 || isNaN(data65)){
validate0.errors = [{instancePath:instancePath+"/metrics/accounts",schemaPath:"#/properties/metrics/properties/accounts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/metrics",schemaPath:"#/properties/metrics/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs134 === errors;
if(valid0){
let data66 = data.chat;
const _errs139 = errors;
if(errors === _errs139){
if(data66 && typeof data66 == "object" && !Array.isArray(data66)){
if(data66.usage_chunks === undefined){
data66.usage_chunks = "every";
}
const _errs141 = errors;
for(const key12 in data66){
if(!(key12 === "usage_chunks")){
validate0.errors = [{instancePath:instancePath+"/chat",schemaPath:"#/properties/chat/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}}];
return false;
break;
}
}
if(_errs141 === errors){
let data67 = data66.usage_chunks;
if(!((data67 === "every") || (data67 === "last"))){
validate0.errors = [{instancePath:instancePath+"/chat/usage_chunks",schemaPath:"config/switches.json#/$defs/usage_chunks/enum",keyword:"enum",params:{allowedValues: schema54.enum}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/chat",schemaPath:"#/properties/chat/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs139 === errors;
if(valid0){
let data68 = data.messages;
const _errs144 = errors;
if(errors === _errs144){
if(data68 && typeof data68 == "object" && !Array.isArray(data68)){
if(data68.adaptive_thinking === undefined){
data68.adaptive_thinking = "off";
}
if(data68.tool_images_without_vision === undefined){
data68.tool_images_without_vision = "refuse";
}
if(data68.input_tokens === undefined){
data68.input_tokens = "total";
}
const _errs146 = errors;
for(const key13 in data68){
if(!(((key13 === "adaptive_thinking") || (key13 === "tool_images_without_vision")) || (key13 === "input_tokens"))){
validate0.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13}}];
return false;
break;
}
}
if(_errs146 === errors){
let data69 = data68.adaptive_thinking;
const _errs147 = errors;
if(!((((data69 === "on") || (data69 === "off")) || (data69 === true)) || (data69 === false))){
validate0.errors = [{instancePath:instancePath+"/messages/adaptive_thinking",schemaPath:"config/switches.json#/$defs/adaptive_thinking/enum",keyword:"enum",params:{allowedValues: schema55.enum}}];
return false;
}
var valid26 = _errs147 === errors;
if(valid26){
let data70 = data68.tool_images_without_vision;
const _errs149 = errors;
if(!((data70 === "refuse") || (data70 === "describe"))){
validate0.errors = [{instancePath:instancePath+"/messages/tool_images_without_vision",schemaPath:"config/switches.json#/$defs/tool_images_without_vision/enum",keyword:"enum",params:{allowedValues: schema56.enum}}];
return false;
}
var valid26 = _errs149 === errors;
if(valid26){
let data71 = data68.input_tokens;
const _errs151 = errors;
if(!((data71 === "total") || (data71 === "uncached"))){
validate0.errors = [{instancePath:instancePath+"/messages/input_tokens",schemaPath:"config/switches.json#/$defs/input_tokens/enum",keyword:"enum",params:{allowedValues: schema57.enum}}];
return false;
}
var valid26 = _errs151 === errors;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs144 === errors;
if(valid0){
let data72 = data.responses;
const _errs153 = errors;
if(errors === _errs153){
if(data72 && typeof data72 == "object" && !Array.isArray(data72)){
if(data72.unknown_tools === undefined){
data72.unknown_tools = "reject";
}
if(data72.sequence_number === undefined){
data72.sequence_number = false;
}
if(data72.untyped_items === undefined){
data72.untyped_items = "refuse";
}
const _errs155 = errors;
for(const key14 in data72){
if(!(((key14 === "unknown_tools") || (key14 === "sequence_number")) || (key14 === "untyped_items"))){
validate0.errors = [{instancePath:instancePath+"/responses",schemaPath:"#/properties/responses/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14}}];
return false;
break;
}
}
if(_errs155 === errors){
let data73 = data72.unknown_tools;
const _errs156 = errors;
if(!((data73 === "reject") || (data73 === "drop"))){
validate0.errors = [{instancePath:instancePath+"/responses/unknown_tools",schemaPath:"config/switches.json#/$defs/unknown_tools/enum",keyword:"enum",params:{allowedValues: schema58.enum}}];
return false;
}
var valid30 = _errs156 === errors;
if(valid30){
const _errs158 = errors;
if(typeof data72.sequence_number !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/responses/sequence_number",schemaPath:"config/switches.json#/$defs/sequence_number/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid30 = _errs158 === errors;
if(valid30){
let data75 = data72.untyped_items;
const _errs161 = errors;
if(!((data75 === "refuse") || (data75 === "message"))){
validate0.errors = [{instancePath:instancePath+"/responses/untyped_items",schemaPath:"config/switches.json#/$defs/untyped_items/enum",keyword:"enum",params:{allowedValues: schema60.enum}}];
return false;
}
var valid30 = _errs161 === errors;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/responses",schemaPath:"#/properties/responses/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs153 === errors;
if(valid0){
let data76 = data.tools;
const _errs163 = errors;
if(errors === _errs163){
if(data76 && typeof data76 == "object" && !Array.isArray(data76)){
if(data76.empty_parameters === undefined){
data76.empty_parameters = "refuse";
}
const _errs165 = errors;
for(const key15 in data76){
if(!(key15 === "empty_parameters")){
validate0.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key15}}];
return false;
break;
}
}
if(_errs165 === errors){
let data77 = data76.empty_parameters;
if(!((data77 === "refuse") || (data77 === "accept"))){
validate0.errors = [{instancePath:instancePath+"/tools/empty_parameters",schemaPath:"config/switches.json#/$defs/empty_parameters/enum",keyword:"enum",params:{allowedValues: schema61.enum}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs163 === errors;
if(valid0){
let data78 = data.clamp_max_tokens;
const _errs168 = errors;
if(errors === _errs168){
if(Array.isArray(data78)){
var valid36 = true;
const len5 = data78.length;
for(let i8=0; i8<len5; i8++){
let data79 = data78[i8];
const _errs170 = errors;
if(!((((data79 === "chat") || (data79 === "completions")) || (data79 === "messages")) || (data79 === "responses"))){
validate0.errors = [{instancePath:instancePath+"/clamp_max_tokens/" + i8,schemaPath:"#/properties/clamp_max_tokens/items/enum",keyword:"enum",params:{allowedValues: schema0.properties.clamp_max_tokens.items.enum}}];
return false;
}
var valid36 = _errs170 === errors;
if(!valid36){
break;
}
}
if(valid36){
let i9 = data78.length;
let j3;
if(i9 > 1){
outer0:
for(;i9--;){
for(j3 = i9; j3--;){
if(func3(data78[i9], data78[j3])){
validate0.errors = [{instancePath:instancePath+"/clamp_max_tokens",schemaPath:"#/properties/clamp_max_tokens/uniqueItems",keyword:"uniqueItems",params:{i: i9, j: j3}}];
return false;
break outer0;
}
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/clamp_max_tokens",schemaPath:"#/properties/clamp_max_tokens/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs168 === errors;
if(valid0){
let data80 = data.routing;
const _errs171 = errors;
const _errs172 = errors;
if(errors === _errs172){
if(data80 && typeof data80 == "object" && !Array.isArray(data80)){
const _errs174 = errors;
for(const key16 in data80){
if(!((key16 === "policy") || (key16 === "session_header"))){
validate0.errors = [{instancePath:instancePath+"/routing",schemaPath:"config/routing.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key16}}];
return false;
break;
}
}
if(_errs174 === errors){
if(data80.policy !== undefined){
let data81 = data80.policy;
const _errs175 = errors;
if(!((data81 === "cost") || (data81 === "least_load"))){
validate0.errors = [{instancePath:instancePath+"/routing/policy",schemaPath:"config/routing.json/properties/policy/enum",keyword:"enum",params:{allowedValues: schema62.properties.policy.enum}}];
return false;
}
var valid39 = _errs175 === errors;
}
else {
var valid39 = true;
}
if(valid39){
if(data80.session_header !== undefined){
let data82 = data80.session_header;
const _errs176 = errors;
if(errors === _errs176){
if(typeof data82 === "string"){
if(!pattern17.test(data82)){
validate0.errors = [{instancePath:instancePath+"/routing/session_header",schemaPath:"config/routing.json/properties/session_header/pattern",keyword:"pattern",params:{pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/routing/session_header",schemaPath:"config/routing.json/properties/session_header/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid39 = _errs176 === errors;
}
else {
var valid39 = true;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/routing",schemaPath:"config/routing.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs171 === errors;
if(valid0){
if(data.plugins !== undefined){
const _errs178 = errors;
if(!(validate19.call(this, data.plugins, {instancePath:instancePath+"/plugins",parentData:data,parentDataProperty:"plugins",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate19.errors : vErrors.concat(validate19.errors);
errors = vErrors.length;
}
var valid0 = _errs178 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.models !== undefined){
let data84 = data.models;
const _errs179 = errors;
if(errors === _errs179){
if(Array.isArray(data84)){
if(data84.length < 1){
validate0.errors = [{instancePath:instancePath+"/models",schemaPath:"#/properties/models/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid40 = true;
const len6 = data84.length;
for(let i10=0; i10<len6; i10++){
const _errs181 = errors;
if(!(validate21.call(this, data84[i10], {instancePath:instancePath+"/models/" + i10,parentData:data84,parentDataProperty:i10,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
var valid40 = _errs181 === errors;
if(!valid40){
break;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/models",schemaPath:"#/properties/models/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs179 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let data86 = data.endpoints;
const _errs182 = errors;
if(errors === _errs182){
if(Array.isArray(data86)){
var valid41 = true;
const len7 = data86.length;
for(let i11=0; i11<len7; i11++){
const _errs184 = errors;
if(!(validate27.call(this, data86[i11], {instancePath:instancePath+"/endpoints/" + i11,parentData:data86,parentDataProperty:i11,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
var valid41 = _errs184 === errors;
if(!valid41){
break;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/endpoints",schemaPath:"#/properties/endpoints/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs182 === errors;
if(valid0){
let data88 = data.plans;
const _errs185 = errors;
if(errors === _errs185){
if(data88 && typeof data88 == "object" && !Array.isArray(data88)){
for(const key17 in data88){
const _errs187 = errors;
if(typeof key17 === "string"){
if(!pattern33.test(key17)){
const err0 = {instancePath:instancePath+"/plans",schemaPath:"#/properties/plans/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"},propertyName:key17};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid42 = _errs187 === errors;
if(!valid42){
const err1 = {instancePath:instancePath+"/plans",schemaPath:"#/properties/plans/propertyNames",keyword:"propertyNames",params:{propertyName: key17}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate0.errors = vErrors;
return false;
break;
}
}
if(valid42){
for(const key18 in data88){
const _errs189 = errors;
if(!(validate29.call(this, data88[key18], {instancePath:instancePath+"/plans/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data88,parentDataProperty:key18,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate29.errors : vErrors.concat(validate29.errors);
errors = vErrors.length;
}
var valid43 = _errs189 === errors;
if(!valid43){
break;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/plans",schemaPath:"#/properties/plans/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs185 === errors;
if(valid0){
let data90 = data.accounts;
const _errs190 = errors;
if(errors === _errs190){
if(Array.isArray(data90)){
var valid44 = true;
const len8 = data90.length;
for(let i12=0; i12<len8; i12++){
const _errs192 = errors;
if(!(validate31.call(this, data90[i12], {instancePath:instancePath+"/accounts/" + i12,parentData:data90,parentDataProperty:i12,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
errors = vErrors.length;
}
var valid44 = _errs192 === errors;
if(!valid44){
break;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/accounts",schemaPath:"#/properties/accounts/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs190 === errors;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate0.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate0.errors = vErrors;
return errors === 0;
}
validate0.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const accepts: ValidateFunction<ConfigFile> = accept
