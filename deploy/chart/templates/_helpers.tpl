{{- define "longshore.fullname" -}}
{{- if contains "longshore" .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-longshore" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "longshore.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (include "longshore.fullname" .) -}}
{{- end -}}

{{- define "longshore.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{/* Of every object. */}}
{{- define "longshore.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/name: longshore
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Of the pods of a component: dict "root" $ "component" "edge". */}}
{{- define "longshore.selector" -}}
app.kubernetes.io/name: longshore
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "longshore.hasPostgres" -}}
{{- if not .Values.database.existingSecret }}true{{ end -}}
{{- end -}}

{{/* Several servers have no volume, and are replaced one by one. */}}
{{- define "longshore.hasSeveralServers" -}}
{{- if gt (int .Values.server.replicas) 1 }}true{{ end -}}
{{- end -}}

{{- define "longshore.hasSharedState" -}}
{{- if or (include "longshore.hasSeveralServers" .) (eq (.Values.server.state | default "") "shared") }}true{{ end -}}
{{- end -}}

{{/* `helm upgrade --reuse-values` has no value that an earlier chart did not have. The defaults of those that came later are here too. */}}
{{- define "longshore.s3" -}}
{{- $none := dict "endpoint" "" "bucket" "" "prefix" "" "existingSecret" "" "accessKeyId" "" "secretAccessKey" "" }}
{{- merge (deepCopy (.Values.s3 | default dict)) (set $none "region" "us-east-1") | toYaml -}}
{{- end -}}

{{- define "longshore.functions" -}}
{{- dig "configMap" "" (.Values.functions | default dict) -}}
{{- end -}}

{{- define "longshore.namespacePrefix" -}}
{{- .Values.namespacePrefix | default "longshore" -}}
{{- end -}}

{{- define "longshore.ownKeysSecret" -}}
{{- dig "existingSecret" "" (.Values.keys | default dict) -}}
{{- end -}}

{{- define "longshore.keysSecret" -}}
{{- include "longshore.ownKeysSecret" . | default (printf "%s-keys" (include "longshore.fullname" .)) -}}
{{- end -}}

{{/*
Whether the server keeps its keys on its volume: its Deployment says so, or the keys of an installation that was removed. Only known with
access to the cluster.
*/}}
{{- define "longshore.hasLocalKeys" -}}
{{- $name := printf "%s-server" (include "longshore.fullname" .) }}
{{- $server := lookup "apps/v1" "Deployment" .Release.Namespace $name }}
{{- if $server }}
{{- $variables := list }}
{{- range $server.spec.template.spec.containers }}
{{- range .env }}{{ $variables = append $variables .name }}{{ end }}
{{- end }}
{{- if not (has "LONGSHORE_STATE" $variables) }}true{{ end }}
{{- else if lookup "v1" "PersistentVolumeClaim" .Release.Namespace (.Values.server.data.existingClaim | default (printf "%s-data" $name)) }}
{{- $keys := (lookup "v1" "Secret" .Release.Namespace (include "longshore.keysSecret" .)).data | default dict }}
{{- /* A volume of the operator may be there before the first installation. Its keys are not. */}}
{{- if and (or $keys (not .Values.server.data.existingClaim)) (not (hasKey $keys "master-key")) }}true{{ end }}
{{- end }}
{{- end -}}

{{/* Refuses values that do not fit together, and names those that are missing. */}}
{{- define "longshore.checkValues" -}}
{{- $s3 := fromYaml (include "longshore.s3" .) }}
{{- $missing := list }}
{{- if not $s3.endpoint }}{{ $missing = append $missing "s3.endpoint" }}{{ end }}
{{- if not $s3.bucket }}{{ $missing = append $missing "s3.bucket" }}{{ end }}
{{- if not (or $s3.existingSecret (and $s3.accessKeyId $s3.secretAccessKey)) }}
{{- $missing = append $missing "s3.existingSecret (or s3.accessKeyId and s3.secretAccessKey)" }}
{{- end }}
{{- if and (include "longshore.hasSeveralServers" .) (eq (.Values.server.state | default "") "local") }}
{{- fail "server.state must be shared or empty if server.replicas is more than 1: several servers cannot use one data directory." }}
{{- end }}
{{- if and (include "longshore.hasSharedState" .) $missing }}
{{- fail (printf "Servers that share their state keep files in an object store. Set %s." (join ", " $missing)) }}
{{- end }}
{{- if and (or $s3.endpoint $s3.bucket) $missing }}
{{- fail (printf "The object store is not complete. Set %s." (join ", " $missing)) }}
{{- end }}
{{- if and (include "longshore.ownKeysSecret" .) $s3.endpoint (not $s3.existingSecret) }}
{{- fail "keys.existingSecret replaces the Secret of the chart, which would contain s3.secretAccessKey. Set s3.existingSecret." }}
{{- end }}
{{- if and (include "longshore.hasSeveralServers" .) (include "longshore.hasLocalKeys" . | trim) }}
{{- fail "This installation has its keys on the volume of its server, which several servers do not have. First set server.replicas to 1 and server.state to shared: that server moves keys and files. Then set server.replicas." }}
{{- end }}
{{- end -}}

{{- define "longshore.keep" -}}
{{- if .Values.keepData }}
helm.sh/resource-policy: keep
{{- end }}
{{- end -}}

{{/* The rules of the Pod Security Standard "restricted", and a root file system that cannot be written. */}}
{{- define "longshore.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* dict "user" 10001 */}}
{{- define "longshore.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .user }}
runAsGroup: {{ .user }}
fsGroup: {{ .user }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* Pods of a lost node are replaced after half a minute instead of five, unless a volume has to follow them: dict "isBound" true. */}}
{{- define "longshore.lostNode" -}}
{{- if not .isBound }}
{{- range list "not-ready" "unreachable" }}
- key: node.kubernetes.io/{{ . }}
  operator: Exists
  effect: NoExecute
  tolerationSeconds: 30
{{- end }}
{{- end }}
{{- end -}}

{{/* Of a Deployment, each version by itself: dict "root" $ "component" "edge". */}}
{{- define "longshore.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "longshore.selector" . | nindent 6 }}
  matchLabelKeys: [pod-template-hash]
{{- end -}}

{{/* dict "root" $ "values" .Values.edge "isBound" false */}}
{{- define "longshore.scheduling" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with concat (.values.tolerations | default list) (fromYamlArray (include "longshore.lostNode" .)) }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Ports that server and edge must agree on. */}}
{{- define "longshore.edgePorts" -}}
- name: LONGSHORE_INGRESS_PORT
  value: {{ .Values.edge.httpPort | quote }}
{{- if .Values.edge.httpsPort }}
- name: LONGSHORE_HTTPS_PORT
  value: {{ .Values.edge.httpsPort | quote }}
{{- end }}
- name: LONGSHORE_EDGE_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "longshore.keysSecret" . }}
      key: edge-key
{{- end -}}
